"""Pictures of triangle meshes: textures, shading, a z-buffer rasteriser, bones drawn over it."""
