"""The child process of a supervised check: loads a game, checks it, and answers in JSON lines on stdout."""

from __future__ import annotations

import faulthandler
import json
import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from tactician.checking.check import check_game
from tactician.errors import TacticianError
from tactician.games.registry import load_game
from tactician.games.supervised_check import Note
from tactician.native import failures
from tactician.native.caching import announcing

_LOOKS_APART = 1.0
"""Seconds between two looks at whether the parent is still there."""


def main() -> None:
    """Do what the request on the command line says."""
    faulthandler.register(signal.SIGUSR1)
    request = json.loads(sys.argv[1])
    note = Note(Path(request["note"]))
    _end_with_parent(request["parent"], Path(request["note"]).parent)
    try:
        # Compiling happens inside the first call of a rule and is not the rule's time.
        with announcing(lambda _name: note.pause(), note.resume):
            with failures.listening(lambda rule: note.write(rule, 0, -1)):
                game = load_game(request["spec"])
            if request["interpreted"]:
                game = game.interpreted()
            report = check_game(
                game,
                games=request["games"],
                seed=request["seed"],
                progress=lambda done, total: _say({"progress": [done, total]}),
                on_call=note.write,
            )
    except TacticianError as error:
        _say({"error": {"kind": type(error).__name__, "message": str(error)}})
        return
    _say({"report": report.to_json()})


def _end_with_parent(parent: int, folder: Path) -> None:
    """End when the checking process is gone, whatever a rule does, and remove its folder."""

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOKS_APART)
        shutil.rmtree(folder, ignore_errors=True)
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=look, daemon=True).start()


def _say(document: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"tactician": document}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
