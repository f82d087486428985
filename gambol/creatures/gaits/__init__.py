"""How built-in creatures move: procedural gaits and actions."""
