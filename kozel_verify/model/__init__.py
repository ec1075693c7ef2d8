"""Syntax trees to games.

**In** goes the name of a file, or a text; **out** comes a ``load.Spec`` with its ``core.Game``: typed expressions over
finite values, and a process graph whose nodes are the points where play waits. Or ``SpecError`` with every error found.
All engines read the core and nothing before it.

======================  ===============================================================================================
``types``, ``deck``     the finite types and how their values are represented; cards and their numbers
``operators``           the one table of operators: name, arity, concrete meaning
``core``                what a spec means, as data
``limits``              how large a game may be
``books``               tables beside specs: which lines of a source have sentences, which readings there are
``program``             modules, variants and `default` items to one flat list of items
``variants``            what takes the place of what; ``leftovers``: words for what is no longer there
``redefinitions``       what that changes for the rest, told with the errors that come of it
``scope``               what names stand for; problems on their way to the list of errors
``expressions``         names and types of expressions, with the range of every number; ``fold``: constants
``elaboration``         constants, declarations, and checks of the whole
``lowering``            statements to blocks and nodes
``graph``               unreachable parts, cycles without a decision, liveness
``claims``              properties, against the finished graph; ``scenarios``; ``citations``
``spelling``            hints in the words of the spec's language
``elaborate``, ``load``  all of it together; the way in
======================  ===============================================================================================

**Trusted**: that the core says what the text says. There is no second front end to compare with; tests pin the meaning
of each construct by plays, and the printed graph can be read. What the engines make of the core is checked against the
reference interpreter.

**Promised**: no expression of the core is nested deeper than the engines can walk, every cycle of blocks holds a node,
every cell that is not declared is set back at nodes where it is not live, functions never recur.
"""
