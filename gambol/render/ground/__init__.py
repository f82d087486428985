"""The checkerboard ground: drawn once, drawn differentiably for a batch of frames, and its contact shadow."""
