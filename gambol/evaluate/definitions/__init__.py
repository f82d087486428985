"""Definitions of the vocabulary's motions: what must be seen of each in joint space."""
