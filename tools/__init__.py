"""Tools: the verifier of lists for readers; licences, known faults, releases and the floors for developers."""
