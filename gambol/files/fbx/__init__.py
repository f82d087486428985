"""FBX 7.4 binary files, written without Blender."""
