"""Texts to syntax trees.

**In** goes the text of a spec; **out** comes its syntax tree (``parse.parse`` to ``syntax.Unit``), in which no name has
a meaning yet, or ``diagnostics.SpecError`` with every syntax error that can be told from the others.

======================  ===============================================================================================
``spans``               places in texts; names that know theirs
``diagnostics``         errors as values
``codes``               the registry of error codes, and the page made from it
``folders``             where the data of the tool are
``words``               the language's words in messages; what is wrong with a character or a name
``unexpected``          what is likely to be meant by a word that cannot stand where it stands
``recovery``            where to go on after a syntax error
``syntax``              the tree: frozen data, one class for each form of the grammar
``build``               lark's parse tree to ours, one method for each rule of the grammar
``tables``              the parser's tables, kept between runs
``parse``               all of it together
======================  ===============================================================================================

**Trusted**: the grammar (``grammar/kozel.lark``) and lark's reading of it, the builders of ``build``, and the kept
tables, which lie in the user's own folder. Tests hold the grammar strict and without conflicts, compare the two lexers
and the two spellings, and throw damaged texts at it. Nothing here imports the rest of the package.
"""
