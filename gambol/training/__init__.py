"""Training of the shipped weights: data recipes and training loops."""
