"""The box on the table as one pure state: what was seen, pressed and told goes in, a view and things to do come out."""
