"""What a person can do with the program, without a screen: state, rules of use, and words."""
