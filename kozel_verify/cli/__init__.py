"""The command line ``kozel``: one module for each sub-command.

In go arguments and the files they name; out come texts for people, or one JSON value with ``--format json``, and an
exit code: 0 holds, 1 refuted, 2 usage or spec error, 3 not shown, 4 legs disagree; 70 a fault of the tool itself, 130
interrupted, 141 nobody reads the output any more. Nothing is decided here: verdicts, replays and texts come from the
packages below, so what is trusted is that their results are passed on unchanged.

``main`` imports the module of a command only when it is run: ``--help`` reads no grammar, and ``check``, ``test``,
``simulate`` and ``new`` never load a solver.
"""
