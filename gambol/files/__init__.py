"""Reading and writing files: glTF, BVH, FBX, plain meshes; Blender's own module for reading FBX and for .blend."""
