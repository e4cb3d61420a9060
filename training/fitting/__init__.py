"""How each kind of matcher is fitted."""
