"""What makes a character from words where none is at hand: text-to-3D models, and any program that writes a mesh."""
