"""Errors of names and types."""

from kozel_verify.language.codes.entry import Code

NAME_CODES: dict[str, Code] = {
    "clash": Code(
        "a name has a meaning already",
        "All names of a game and of the modules it uses stand in one list, and no variable may have the name of "
        "one of them. Only `default` items of modules may be defined anew, and in a `variant` any item. An "
        "item of a variant may be of another kind than the one whose place it takes; all that uses the old one has to "
        "change with it.",
        "const limit = 12\nstate «limit» : Nat = 0",
    ),
    "unknown-name": Code(
        "there is nothing of this name here",
        "No variable in sight and no item of the game has this name. The hint names the nearest one there is.",
        "example «limitt» == 12\nconst limit = 12",
    ),
    "unused": Code(
        "a variant adds what nothing uses",
        "A variant changes what has the same name in its base, and may add what its changes use. An addition that "
        "nothing names, and that is called nearly as something in the base, is taken for a misspelt name.",
        "language 1\nvariant ours of base_game {\n  const «limitt» = 13\n}\n",
        "file",
        {
            "base_game": "language 1\ngame base_game {\n  deck suits ♠ ranks 6\n  seats 1\n  const limit = 12\n"
            "  zone stock seen by nobody\n  phase match { repeat { run deal } until limit > 1 end }\n"
            "  phase deal { ask seat 1 to choose { may pass { } } }\n  outcome(s) = neither\n}\n"
        },
    ),
    "withdrawn": Code(
        "a promise that is not there is withdrawn",
        "A variant may `withdraw` promises and packs of its base, a game those of its modules: by name, a scenario by "
        "its title, an example by writing it again as it stands there. Nothing can be withdrawn where it is made.",
        "language 1\nvariant ours of base_game {\n  withdraw «enough»\n}\n",
        "file",
        {
            "base_game": "language 1\ngame base_game {\n  deck suits ♠ ranks 6\n  seats 1\n  const limit = 12\n"
            "  zone stock seen by nobody\n  phase match { repeat { run deal } until limit > 1 end }\n"
            "  phase deal { ask seat 1 to choose { may pass { } } }\n  outcome(s) = neither\n}\n"
        },
    ),
    "unknown-type": Code(
        "there is no such type",
        "The built-in types are Bool, Nat, Card, Cards, Suit, Rank, Seat and Outcome; others are declared by "
        "`type`, or are ranges such as `0..12`.",
        "state total : «Natural» = 0",
    ),
    "unknown-node": Code(
        "there is no such node",
        "`at`, `from`, `to` and `start at` name decision points: what stands after `to` in an `ask`, after `called` in "
        "a `draw`, or `draw`; in front of it a part of its path may stand, as in `deal.lead`. The nodes of a `step` "
        "are such that a step leads from one to the other.",
        "invariant dealt at «leed» : true",
    ),
    "ambiguous": Code(
        "a name with several meanings",
        "An item that several enumerations have needs a neighbour that tells its type; a scenario starts at one node.",
        "type Bid = pass | double\ntype Reply = pass | accept\nconst nothing = «pass»",
    ),
    "type": Code(
        "values of types that do not go together",
        "Each place wants a value of a certain type. Nothing is converted but: a number into a rank where a rank is "
        "wanted, a plain value into an optional one and back, a seat into the set of it where seats are addressed.",
        "state turned : Suit = «6♠»",
    ),
    "range": Code(
        "a number outside of its range",
        "The range of every expression is inferred. What a function promises, what is passed to a parameter, "
        "looked up in a table or given as a constant must lie in the range that is declared. (What is stored in a"
        " cell is proved instead: it may depend on the course of play.)",
        "function next(n : 0..3) : 0..3 = «n + 1»",
    ),
    "not-constant": Code(
        "a constant is wanted",
        "Bounds of types, initial values, tables, orders and packs are fixed before play: they may name constants"
        " only, and call no functions. A constraint may read options only.",
        "const leader = «opener»",
    ),
    "undefined": Code(
        "a constant without a value",
        "The expression has no value: a subtraction goes below zero, `only` or `the` does not find exactly one "
        "element, or something is divided by zero.",
        "const less = «2 - 3»",
    ),
    "arguments": Code(
        "a wrong number of arguments",
        "Functions, procedures, module parameters and verbs take one argument for each parameter.",
        "example «min(1)» == 1",
    ),
    "no-card": Code(
        "the deck has no such card",
        "The deck is made of the suits and ranks that `deck` names; a card, suit or rank outside of it stands for "
        "nothing.",
        "example «7♠» == 6♠",
    ),
    "circular": Code(
        "something is defined by itself",
        "A constant may need other constants, and a variant has a base; following them must come to an end.",
        "const «low» = high - 1\nconst high = low + 1",
    ),
    "recursion": Code(
        "a function or procedure that uses itself",
        "Functions and procedures are unfolded where they are used, so none may use itself, not even by a detour. A "
        "phase begins anew by `again`; for repetition there are loops.",
        "function «up»(n : Nat) : Nat = up(n)",
    ),
    "hidden": Code(
        "something public depends on what is hidden",
        "Who sees a zone or cell, and what a match ends in, is known to all: so it may depend on options and on "
        "cells that all see, and on nothing else.",
        "state mine : Bool = false seen by nobody\nzone pile seen by «if mine then all else nobody»",
    ),
    "need": Code(
        "a module needs something that the game does not have",
        "`need` in a module says what its user must supply: an item of this kind and name, with these parameters.",
        "use counter",
        files={"counter": "language 1\nmodule counter { need const «limit» }\n"},
    ),
    "default": Code(
        "what replaces a `default` item does not fit",
        "A `default` item of a module may be defined anew by its user: as the same kind of item, with parameters "
        "of the same types. (In a `variant` any item may be replaced by any other.)",
        "use counter\npredicate «worth»(c : Card, s : Seat) = true",
        files={"counter": "language 1\nmodule counter { default predicate worth(c : Card) = false }\n"},
    ),
}
