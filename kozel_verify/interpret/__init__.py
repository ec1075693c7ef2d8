"""The reference interpreter: what a core means, in plain code.

In go a ``Game`` and values for its options; out come states, legal outcomes, events, views and texts. Everything that
is faster is held against this package. Trusted here: the table of operators and the contract of the core.
"""
