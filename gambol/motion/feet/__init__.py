"""Feet: contacts, foot lock, leg inverse kinematics, root travel from standing feet."""
