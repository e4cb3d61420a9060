"""Pages and pictures of scores and profiles."""
