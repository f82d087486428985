"""Meshes without a rig: OBJ, PLY, STL, OFF."""
