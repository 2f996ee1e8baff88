"""The command nervure: the program itself."""

from __future__ import annotations

import os
import subprocess
import sys

from ._errors import ProgramNotFound
from ._program import program


def main() -> None:
    """Run the program in place of this process."""
    try:
        path = program()
    except ProgramNotFound as fault:
        sys.exit(f"nervure: {fault}")
    if os.name == "posix":
        os.execv(path, [path, *sys.argv[1:]])
    sys.exit(subprocess.call([path, *sys.argv[1:]]))
