"""How dates are written where Django writes them: in the administration."""
