"""What good motion looks like: large video models, the embedded prior, and libraries of known films."""
