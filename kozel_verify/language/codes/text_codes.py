"""Errors of files and texts, before anything has a meaning."""

from kozel_verify.language.codes.entry import Code

TEXT_CODES: dict[str, Code] = {
    "unreadable": Code(
        "the file cannot be read",
        "There is no such file, it is not a file, or it may not be read. Name a `.kozel` file, or a shipped game.",
        "",
        "file",
    ),
    "not-utf8": Code(
        "the file is not UTF-8",
        'Specs are UTF-8 texts everywhere. An editor\'s "save as" can convert the file.',
        "",
        "file",
    ),
    "too-large": Code(
        "something is larger than the tool handles",
        "Every part of a game has a bound: the characters of a file, the digits of a number, the elements of a "
        "set, the statements after procedures are inlined and loops unrolled. The bounds leave room for games ten"
        " times as large as any of the family, so a mistake is likely: a range or a loop that is too wide, a "
        "number with a digit too many, procedures that run one another again and again.",
        "const limit = «1000000000000000»",
    ),
    "too-deep": Code(
        "something is nested too deep",
        "Brackets, expressions, blocks, functions and procedures may stand in one another only so deep. Give a "
        "part a name of its own.",
        "example " + "(" * 59 + "«(»true" + ")" * 60,
    ),
    "language-version": Code(
        "a version of the language that this tool does not know",
        "The first line of a file says in which version of the language it is written. This tool knows version 1.",
        "language «2»\ngame sample {}\n",
        "file",
    ),
    "character": Code(
        "a character that stands for nothing",
        "No word, number or sign of the language begins with this character, or it is one that nobody can see. "
        "Often it is a typographic sign: `≥` for `>=`, a no-break space, curly quotes.",
        "example 2 «≥» 1",
    ),
    "open-text": Code(
        "a text is not closed",
        "Texts stand between double quotes and end on the line on which they begin.",
        'title en «"Sample»',
    ),
    "number-name": Code(
        "a number runs into a name",
        "A name cannot begin with a digit, and a number is followed by a space or a sign.",
        "const «2nd» = 1",
    ),
    "mixed-alphabets": Code(
        "a name with letters of two alphabets",
        "Some Cyrillic letters look like Latin ones. A name that mixes them would look like another name and not "
        "be it. Names may be written in any one alphabet.",
        "state «tоtal» : Nat = 0",
    ),
    "look-alike": Code(
        "a Cyrillic letter in a card",
        "The ranks are A K Q J or Т К Д В, and this letter only looks like one of the first four.",
        "example «А♠» == 6♠",
    ),
    "split-card": Code(
        "a space inside a card",
        "A card is written as one word: rank and suit without a space.",
        "example «6 ♠» == A♠",
    ),
    "reserved": Code(
        "a word of the language where a name is wanted",
        "All words of the language are reserved, in their English and their Russian spelling, and so are the "
        "letters of the ranks. Choose another name; two words may be joined by an underscore.",
        "state «top» : Nat = 0",
    ),
    "syntax": Code(
        "a word or sign that cannot stand here",
        "The text does not follow the grammar. The hint says what could stand at this place where that is little "
        "enough; otherwise compare the construct with the reference.",
        "state total : Nat «:=» 0",
    ),
    "citation": Code(
        "a citation of nothing, or by nothing",
        "`@` and one or more places end a line: `K:13` is a line of a source declared by `source`, `S0-A5` a "
        "reading. A citation belongs to what begins on its line, so one on an empty line belongs to nothing.",
        "const limit = 12 «@ Q:13»",
    ),
    "no-such-place": Code(
        "a citation of what is not there",
        "Where `sources.toml` stands beside the module that declares a source, a cited line must have a sentence; "
        "where `readings.toml` stands beside the file that cites, a cited reading must be in it. For a file in a "
        "folder `lib`, the tables may stand beside that folder. Without these tables any line and any reading may be "
        "named.",
        'source K = "rules.txt"\nconst limit = 12 «@ K:2»',
        files={
            "sources.toml": '[K]\nfile = "rules.txt"\ntitle = "Our rules"\nlines = 3\n'
            "sentences = [1, 0, 4]  # of each line\n"
        },
    ),
    "bad-table": Code(
        "a table of sources or readings that cannot be used",
        "`sources.toml` says for each source its `file`, its `title`, how many `lines` it has, and how many "
        "`sentences` stand on each of them. `readings.toml` says for each reading `at` which places it is about, the "
        "`question`, the reading `taken` and the `confidence` in it (`H`, `M` and `L` for high to low, `I` for what "
        "follows, `D` for design); where there are such, also the `options` with their values that offer other "
        "readings, and `departs = true` where the reading taken leaves the literal text.",
        "const limit = 12  @ OUR-A1",
        files={
            "readings.toml": '«[»OUR-A1]\nat = []\nconfidence = "sure"\nquestion = "how long a match is"\n'
            'taken = "to 12 points"\n'
        },
    ),
    "module-alone": Code(
        "a module cannot be checked by itself",
        "A module gets its meaning from the game that uses it. Give the tool the file of that game.",
        "language 1\nmodule «counting» { const most = 3 }\n",
        "file",
    ),
    "unknown-module": Code(
        "there is no such module or game",
        "`use NAME` and `variant … of NAME` look for `NAME.kozel` beside the file, in a folder `lib` beside it, "
        "and among the specs that come with the tool; the file must state a unit of that kind and name.",
        "use «trik_of_groups»",
    ),
    "module-value": Code(
        "a module's parameters and the values given to it do not fit",
        "Each parameter of a module without a value of its own gets one where the module is used, and nothing "
        "else does.",
        "use scores(«most» = 12)",
        files={"scores": "language 1\nmodule scores(limit = 6) { }\n"},
    ),
    "used-twice": Code(
        "a module is used twice with different values",
        "The items of a module come into the game once, however often it is used; so its parameters have one "
        "value. A variant changes it by `const NAME = …`.",
        "use scores(limit = 6)\n«use scores(limit = 12)»",
        files={"scores": "language 1\nmodule scores(limit) { }\n"},
    ),
}
