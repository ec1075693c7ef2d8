"""Statements to the process graph.

In go the procedures of a program and the meaning of its names; out come blocks, nodes and generated cells. Procedures
are inlined; loops that neither ask nor draw are unrolled; the variables of the other loops, `let`s, parameters and the
arguments of choices become generated cells. A node's name is its path: the procedures it stands in, and its own name.
"""

from kozel_verify.model.lowering.choices import binding_parameter
from kozel_verify.model.lowering.statements import Lowering

__all__ = ["Lowering", "binding_parameter"]
