"""How built-in creatures are built: body plans, surfaces, skin weights, colours."""
