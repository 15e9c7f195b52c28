"""This machine: settings, folders, durable files, power and updates."""
