"""Move clips to other characters, matched by anatomy."""
