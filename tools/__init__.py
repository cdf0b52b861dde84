"""Tools: the verifier of lists for readers; the table of towns and checks of API clients for developers."""
