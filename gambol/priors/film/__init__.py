"""A film of the very character to fit a motion to: no model; its camera and background are estimated or given."""
