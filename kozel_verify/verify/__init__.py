"""Promises to verdicts.

In go a loaded spec and a budget; out come obligations, each with a verdict, the methods that gave it with their exact
counts, and, where something fails, a play or a case that the reference interpreter has replayed. Here the engines meet:
each promise is shown by as many methods as apply, and methods that contradict each other are reported as such. Trusted
are the reference interpreter and the logic of ``findings``, by which verdicts follow from what the methods say; a
method that finds a fault is believed only when the interpreter confirms it.

``run`` does it all; ``slices`` says what each work gets to see, ``kept`` and ``store`` what was found before.
``manifest`` keeps the record, and ``stability`` that of the solver's effort; ``engine_check`` compares exported engines
with the reference; ``mutate`` plants faults in rules and sees which promise notices. Beside promises, ``sample`` and
``tally`` count what happens in random plays.
"""
