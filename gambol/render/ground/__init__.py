"""The checkerboard ground, its differentiable layer, and the contact shadow."""
