"""Complete sweeps: matchings of groups, domains of lemmas, the state space of a small pack.

In go numbers, relations and callables (an evaluator, a machine with outcomes and steps); out come exact counts, and the
first case in which something fails. The sweeps do not know how an expression is evaluated: what is trusted is the
callable that the caller hands over, and the counting, which the tests hold against plain loops over every case.
``machine`` makes fast callables from a game; the tests hold them against the reference interpreter, state by state.
"""
