"""Splats fitted to renders of a mesh."""
