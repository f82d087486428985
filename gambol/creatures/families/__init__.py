"""The families of creatures: typical shapes and coats, sorted by kin."""
