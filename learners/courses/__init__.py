"""Courses: the fewest games that teach a machine never to lose, if a teacher chooses the moves of its opponent."""
