"""The syntax tree of a spec, as the grammar sees it: names are not resolved and nothing is typed yet.

Every node is a frozen dataclass whose last field ``span`` says where it stands; spans do not take part in equality.
Names are ``Word``s: texts that know their own place.
"""

from kozel_verify.language.spans import Word as Word
from kozel_verify.language.spans import place_of_name as place_of_name
from kozel_verify.language.syntax.expressions import *  # noqa: F403
from kozel_verify.language.syntax.items import *  # noqa: F403
from kozel_verify.language.syntax.statements import *  # noqa: F403
from kozel_verify.language.syntax.walk import names_read as names_read
from kozel_verify.language.syntax.walk import parts as parts
