"""How a mesh gets bones: skin weights by heat diffusion, skeletons fitted into bare meshes."""
