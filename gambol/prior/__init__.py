"""What good motion looks like: video priors and score distillation."""
