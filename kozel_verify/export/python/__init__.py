"""The Python target: a core ``Game`` in, the text of one standalone module out.

=================  =================================================================================================
``matching``       distinct partners, the algorithm that modules carry
``runtime``        the fixed part of every module: its public interface (copied as text)
``names``          safe identifiers for the names of a spec
``operators``      the code of each operator
``analysis``       what expressions read, whether they can fail; the shape of the graph of blocks
``expressions``    expressions to Python expressions
``masks``          predicates over one element to masks and tables
``functions``      pure functions, and small functions made for tables
``edges``          blocks and edges of the process graph
``menus``          what may be chosen, and which rule an illegal choice breaks
``module``         the whole module: ``export_python``
=================  =================================================================================================

No text of a spec reaches a module but as a ``repr`` literal; a name becomes an ASCII identifier first.
"""
