"""The text encoder of the embedded prior."""
