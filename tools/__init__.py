"""Tools: the verifier of lists for readers; licences, known faults and releases for developers."""
