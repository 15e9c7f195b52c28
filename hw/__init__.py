"""One small module for each device, with its stand-in beside it; nothing opens on import."""
