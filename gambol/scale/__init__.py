"""Many tasks on many workers: what places them (local processes, Ray, this process), and what keeps them busy."""
