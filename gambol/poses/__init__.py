"""Which poses are plausible for a character: pose spaces (ViPS), validators, inverse kinematics and interpolation."""
