"""An image into what lies where, in millimetres, once it lies still; and the reverse."""
