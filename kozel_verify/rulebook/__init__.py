"""The rules of a game as a page to read, in English or Russian, made from its spec.

In go the items of a game (with those of its modules) and a list of words; out comes Markdown: the cards and their
orders, what a table may agree on, what lies where and who sees it, how a deal goes, what each name means. Nothing is
said that the spec does not say, and no clause of the rules is left out; promises, which are about the rules and not of
them, are. Trusted: the patterns of the phrases. No verdict rests on these pages.

``phrases``      the patterns of both languages
``markdown``     texts of a spec, without what they would mean as Markdown
``words``        how names of a spec are called
``expressions``  expressions
``statements``   what procedures do, as nested lists
``page``         the whole page
"""
