"""The Gaussian rasteriser: one API, a readable torch reference, CPU kernels, gsplat."""
