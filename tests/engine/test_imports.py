"""What `import engine` brings along."""

import subprocess
import sys

import engine

REPORT = """
import sys
before = set(sys.modules)
import engine
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before}))
"""


def test_the_engine_imports_only_itself_and_the_standard_library():
    run = subprocess.run(
        [sys.executable, "-c", REPORT],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(run.stdout.split())
    assert "engine" in loaded
    assert loaded - {"engine"} <= set(sys.stdlib_module_names)


def test_the_public_names_are_sorted_and_exist():
    assert engine.__all__ == sorted(engine.__all__, key=lambda name: (name != "UNKNOWN", name))
    for name in engine.__all__:
        assert getattr(engine, name) is not None
