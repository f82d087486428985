"""What a camera sees: cameras, rasterisers, ground, film."""
