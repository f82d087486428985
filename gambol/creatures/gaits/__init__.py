"""Procedural gaits and actions for any body with an anatomy."""
