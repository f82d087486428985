"""The embedded prior: a small video diffusion model on part-coloured films, trained and shipped by this project."""
