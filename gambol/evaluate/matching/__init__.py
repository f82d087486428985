"""Learned text-motion matching: how well a clip of any body agrees with a sentence. A judge, never an objective."""
