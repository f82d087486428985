"""From a prior's opinion to a motion: the variables, what holds them together, and the loops that change them."""
