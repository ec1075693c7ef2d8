"""How the names of a spec are called on a page: by its terms, else by a list of words beside it, else as they stand."""

from dataclasses import dataclass, field

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import SpecError
from kozel_verify.model.books import WORDS, words_of
from kozel_verify.model.program import Program, Reader, read_folder
from kozel_verify.rulebook.markdown import plain
from kozel_verify.rulebook.phrases import PHRASES, Language, Phrases


@dataclass(frozen=True, slots=True)
class Words:
    """``texts``: by name, as Markdown. A name that has none is called as it stands, without its underscores, and is one
    of the ``wordless`` once it was asked for; single letters, which stand for anything, are not."""

    language: Language
    texts: dict[str, str]
    phrases: Phrases
    wordless: set[str] = field(default_factory=set)

    def of(self, name: str) -> str:
        found = self.texts.get(name) or self.phrases.names.get(name)
        if not found and len(name) > 1:
            self.wordless.add(str(name))
        return found or name.replace("_", " ")

    def rank(self, rank: str) -> str:
        return self.phrases.ranks.get(rank, rank)


def words_for(program: Program, language: Language, read: Reader = read_folder) -> Words:
    """The words for a game: those of the lists beside the files that it is made of, its own file's above the others',
    and above them its own terms. Raises ``SpecError``."""
    texts: dict[str, str] = {}
    lists = dict.fromkeys(read(WORDS, file) for file in reversed(program.files))
    for found in filter(None, lists):
        table = words_of(*found)
        if table.problems:
            raise SpecError(list(table.problems))
        texts |= {name: plain(entry[language]) for name, entry in table.entries.items() if language in entry}
    for item in program.items:
        match item:
            case s.Term(name, written) | s.Option(name, _, _, written):
                texts |= {str(name): plain(text.text) for text in written if text.language == language}
            case _:
                pass
    return Words(language, texts, PHRASES[language])
