"""Gaussian splats bound to bones."""
