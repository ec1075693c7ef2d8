"""Core to formulas: what is proved about the whole game.

What goes in: a ``Game`` (``kozel_verify.model.core``), and for guesses plain states of sampled plays. What comes out:
answers of a solver about lemmas, edges and nodes, as data.

* ``terms`` and ``z3_api``: formulas, and the solver behind them (the only module that imports it). ``answers``: what it
  says; ``query_store``: what it said before to the very same query.
* ``values``, ``operators``, ``matching``, ``evaluate``: the symbolic value of every expression.
* ``edge``: the step of a node as merged terms. ``exact``: on states in which every card has its place.
* ``measures``, ``unknowns``, ``counting``, ``system``: on states of which only sizes and weights of sets are known.
* ``templates``, ``guess``, ``columns``, ``induction``, ``obligations``: invariants, and what follows from them.
  ``cases``: all of it once for each value of a cell that deals leave alone.
* ``faces``, ``faces_sets``, ``faces_system``: claims about which cards lie where.
* ``steps``, ``menus``: claims about steps and about what may be chosen.
* ``lemmas``: statements about all values of their parameters.

What is trusted: the solver, the translation to it, and the argument in ``counting``. Values, operators and exact edges
are compared with the reference meaning, operators on all arguments of small types.
"""
