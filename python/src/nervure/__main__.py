"""python -m nervure is the command nervure."""

from ._command import main

main()
