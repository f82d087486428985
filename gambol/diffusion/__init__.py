"""The maths that all video priors share: interface, parametrisation, noise schedules, score distillation, samplers."""
