"""The mesh rasteriser: textures, shading, videos of meshes."""
