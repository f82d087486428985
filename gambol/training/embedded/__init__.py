"""Training data and training of the embedded prior."""
