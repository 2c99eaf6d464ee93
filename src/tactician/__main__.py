"""`python -m tactician`: the command line."""

from tactician.cli.main import run

run()
