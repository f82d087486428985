"""What a camera sees: cameras, rasterisers for splats and meshes, the ground, video files."""
