"""Kozel Verify: a rules engine for the Kozel family of card games whose rules are checked exhaustively.

A spec (a text in the language of ``grammar/kozel.lark``) goes in. Out come verdicts on what players argue about,
counterexamples as hands of cards, and a standalone engine that was compared with the spec.
The packages below depend on each other one way only:
``language`` <- ``model`` <- {``interpret``, ``symbolic``, ``exhaustive``, ``export``} <- ``verify`` <- ``cli``.
"""

__version__ = "0.1.0"
