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
    command = [path, *sys.argv[1:]]
    try:
        if os.name == "posix":
            os.execv(path, command)
        sys.exit(subprocess.call(command))
    except OSError as fault:
        sys.exit(f"nervure: the program {path} cannot be started: {fault.strerror or fault}")
