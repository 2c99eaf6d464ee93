"""External bots for tests: small scripts, good ones and bad ones."""

from __future__ import annotations

import sys
from pathlib import Path

READS = """
import sys

def block():
    lines = [sys.stdin.readline() for _ in range(3)]
    if not lines[0]:
        sys.exit(0)
    for _ in range(int(lines[2].split()[1])):
        sys.stdin.readline()
    cards = [sys.stdin.readline().split() for _ in range(int(sys.stdin.readline()))]
    return lines[0].split(), cards

def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()
"""
"""Enough of the protocol to find the end of a block."""

GOOD = (
    READS
    + """
while True:
    me, cards = block()
    if me[1] == "0":
        say("PICK 0 hello")
    else:
        mine = [c for c in cards if c[2] == "1"]
        hand = [c for c in cards if c[2] == "0" and c[3] == "0"]
        say(";".join(f"ATTACK {c[1]} -1" for c in mine) + ";PASS; " + ";".join(f"SUMMON {c[1]} 0" for c in hand))
"""
)
BAD = {
    "nonsense": (READS + "\nblock()\nsay('hello')\nblock()\n", "nonsense: the draft answer is 'hello'"),
    "nonsense in the battle": (
        READS + "\nwhile True:\n    me, _ = block()\n    say('PICK 1' if me[1] == '0' else 'SUMMON x y')\n",
        "battle turn 1 with nonsense",
    ),
    "too late": (READS + "\nimport time\nblock()\nsay('PASS')\nblock()\ntime.sleep(60)\n", "within 800 ms"),
    "prints nothing": ("import time\ntime.sleep(60)\n", "gave no answer to draft turn 1 of 30"),
    "half a line": (
        READS + "\nimport time\nblock()\nsys.stdout.write('PI')\nsys.stdout.flush()\ntime.sleep(60)\n",
        "only a part of a line",
    ),
    "dies": (READS + "\nblock()\nsys.exit('no more')\n", "ended with code 1 before it answered draft turn 1"),
    "never starts well": ("raise RuntimeError('broken')\n", "RuntimeError: broken"),
    "kills itself": (READS + "\nimport os\nblock()\nos.kill(os.getpid(), 9)\n", "was killed by signal 9"),
    "writes without end": (
        "import sys\nwhile True:\n    sys.stdout.write('x' * 65536)\n",
        "bytes without an end of line",
    ),
    "bytes that are no text": (
        READS + "\nblock()\nsys.stdout.buffer.write(b'\\xff\\xfe PICK\\n')\nsys.stdout.flush()\nblock()\n",
        "with nonsense",
    ),
}
"""Name: script, and a part of the sentence that is recorded."""
FLOODS_STDERR = GOOD.replace("me, cards = block()", "me, cards = block(); sys.stderr.write('x' * 300000 + '\\n')")
HAS_CHILDREN = (
    READS
    + """
import subprocess, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
open(sys.argv[1], "w").write(str(child.pid))
block()
time.sleep(60)
"""
)


def command(folder: Path, script: str, name: str = "bot.py") -> str:
    """The command of a script."""
    path = folder / name
    path.write_text(script, encoding="utf-8")
    return f"{sys.executable} {path}"
