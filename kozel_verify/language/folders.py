"""Where the grammar, the specs and the proofs are that come with the tool."""

from importlib import resources
from pathlib import Path


def data_folder(name: str) -> Path:
    """``grammar``, ``spec`` or ``proofs``: inside an installed package, or beside it in a checkout."""
    installed = Path(str(resources.files("kozel_verify"))) / "_data" / name
    return installed if installed.is_dir() else Path(__file__).resolve().parents[2] / name
