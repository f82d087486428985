"""Reading and writing files: glTF, BVH, plain meshes, and FBX and .blend through Blender's own module."""
