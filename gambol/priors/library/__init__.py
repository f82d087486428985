"""A prior whose score is exact: a Gaussian mixture over renders of known clips."""
