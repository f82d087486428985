"""What makes the shipped weights: data recipes and training loops."""
