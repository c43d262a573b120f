"""Company: whom players follow, what they do now, and how players who seek a game meet."""
