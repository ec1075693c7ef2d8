"""The test suite: one folder for each package, and `support` for what they share."""
