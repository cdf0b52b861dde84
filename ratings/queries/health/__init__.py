"""What the games and ratings of a published list say of the pool of its players."""
