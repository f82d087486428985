"""Splats fitted to pictures of a mesh."""
