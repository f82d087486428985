"""Built-in creatures: bodies with skeleton, skin, weights, colours and anatomy, and procedural motions."""
