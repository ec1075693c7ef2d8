"""How long the commands take, as whole processes: ``python benchmarks/commands.py [RUNS]``.

Every command is run ``RUNS`` times (3 unless told; the verification once); printed are the fastest and the median wall
time, the processor time of the fastest, and its ratio to starting Python alone, so that runs on different machines can
be compared. No test asserts any of it.
"""

import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SPEC = str(ROOT / "spec" / "kozel_shokha.kozel")
KOZEL = [sys.executable, "-c", "import sys; from kozel_verify.cli.main import main; sys.exit(main())"]
STORE = tempfile.mkdtemp()
COMMANDS = {
    "python alone": [sys.executable, "-c", "pass"],
    "kozel --help": [*KOZEL, "--help"],
    "kozel check": [*KOZEL, "check", SPEC],
    "kozel test": [*KOZEL, "test", SPEC],
    "kozel simulate, 20 deals": [*KOZEL, "simulate", SPEC, "--deals", "20"],
    "kozel verify, from cold": [*KOZEL, "verify", SPEC, "--store", STORE],
    "kozel verify, unchanged": [*KOZEL, "verify", SPEC, "--store", STORE],
}
SLOW = "kozel verify, from cold"


def once(command: list[str]) -> tuple[float, float]:
    """Wall and processor seconds of one run."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    base = 0.0
    print(f"{'command':<26} {'fastest':>9} {'median':>9} {'processor':>10} {'ratio':>8}")
    for name, command in COMMANDS.items():
        measured = sorted(once(command) for _ in range(1 if name == SLOW else runs))
        wall, processor = measured[0]
        base = base or wall
        median = statistics.median(w for w, _ in measured)
        print(f"{name:<26} {wall:>8.2f}s {median:>8.2f}s {processor:>9.2f}s {wall / base:>8.1f}", flush=True)
    shutil.rmtree(STORE)


if __name__ == "__main__":
    main()
