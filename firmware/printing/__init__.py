"""Everything Oxeye prints, drawn in millimetres."""
