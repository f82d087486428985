"""Training data and training of the pose space."""
