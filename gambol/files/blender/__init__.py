"""FBX read, and .blend read and written, through Blender's own module, in a process of its own."""
