"""How a list comes about: what is due, each player's period, the entries, the files and their manifest."""
