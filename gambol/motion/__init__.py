"""How it moves: rotations, clips, forward kinematics, linear blend skinning."""
