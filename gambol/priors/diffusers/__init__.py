"""Large video models through the diffusers library: CogVideoX, Wan, LTX, 3D U-Nets."""
