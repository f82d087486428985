"""Which bone is what: legs, arms, wings, tail, neck, head, torso, found from geometry and topology."""
