"""The splat rasteriser: one API, a readable torch reference, CPU kernels, gsplat on CUDA."""
