"""FBX and .blend through Blender's own module, in a process of its own."""
