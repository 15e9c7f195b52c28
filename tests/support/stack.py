"""The box driven by events, without threads."""

from firmware.box.flow_stack import step_box


def run_box(box, *events):
    """The box after these events, and all effects on the way."""
    done = []
    for event in events:
        box, effects = step_box(box, event)
        done += effects
    return box, done
