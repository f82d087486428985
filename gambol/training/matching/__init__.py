"""Training of the text-motion matching model."""
