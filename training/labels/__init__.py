"""What is learned from: judged parts, folds of them, and labels beside people's."""
