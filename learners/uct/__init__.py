"""Monte-Carlo tree search with upper confidence bounds."""
