"""Biovision hierarchies (.bvh): read and write."""
