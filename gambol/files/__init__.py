"""How it comes in and goes out: glTF, BVH, plain meshes, FBX and .blend through Blender's own module."""
