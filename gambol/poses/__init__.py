"""Which poses are plausible for a body: the pose space of a rig (ViPS), its validators, and what is done with it."""
