"""Small screens: fonts, widgets and layout, and one driver module for each kind of panel."""
