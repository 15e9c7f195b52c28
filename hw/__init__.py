"""One module for each device; nothing opens on import. Devices without hardware are in ``hw.fakes``."""
