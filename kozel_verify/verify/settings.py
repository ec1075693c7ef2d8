"""How much work a verification may do. Budgets count solver resources, cases and states, never seconds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """``budget``: solver resource units for one query. ``lemma_cases``: the largest domain that is enumerated.
    ``states``: the largest closure of a small pack. ``plays``: random matches on the full pack that are looked at for
    candidates and violations, ``witness_plays``: how many more for a witness that they do not meet. ``executor``: the
    cluster that does the work, ``dask://HOST:PORT`` (empty: ``jobs`` processes). ``only``: names of obligations (empty:
    all); ``thorough``: of these too every method is wanted, as of a whole spec. ``store``: the folder of results found
    before (empty: none is used). ``hard``: how many queries on which the solver gives up are wanted of each work.
    ``coverage_plays``: random matches in which clauses, options and premises are looked for that no scenario shows."""

    budget: int = 40_000_000
    lemma_cases: int = 100_000
    states: int = 250_000
    plays: int = 24
    witness_plays: int = 2_000
    seed: int = 1
    jobs: int = 1
    executor: str = ""
    only: tuple[str, ...] = ()
    thorough: bool = False
    store: str = ""
    hard: int = 0
    coverage_plays: int = 100

    def wants(self, name: str) -> bool:
        return not self.only or name in self.only
