"""Animals made by code: shape, skeleton, skin, weights, colours, anatomy; and how they move."""
