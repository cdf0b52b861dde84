"""What the online systems share: the game, the explanation, the logistic expectation."""
