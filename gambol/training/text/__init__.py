"""Training data and training of the text encoder."""
