"""Where games are played, and what becomes of them when processes die: real processes, a real cluster on loopback."""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from slow_parameters import rest_slow

from tactician.arena import Tournament, TournamentPlan, open_store, tournament
from tactician.arena.crew import Crew, WorkersDiedError
from tactician.arena.executors import play_all
from tactician.arena.pools import ClusterLostError
from tactician.errors import InvalidParameterError, StoreError, TacticianError

GAME = "hero-academy:turn_limit=8"
PLANNERS = ("random", "greedy-action")
BUDGET = "60evals"
LIMIT_S = 120
"""For what should take seconds, on a machine that is busy."""

KILLERS = """
import os
from tactician.contract.entry import GameEntry
from tactician.seats import BaseSeat


class Killer(BaseSeat):
    def __init__(self, game):
        super().__init__()

    def plan(self, state, budget, *, ply=0, seat=None):
        os._exit(3)


ENTRY = GameEntry(
    name="nim",
    factory="nim_rules:nim",
    agents={"killer": "installed_nim:Killer", "other-killer": "installed_nim:Killer"},
)
"""


@pytest.fixture
def killers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package whose game brings agents that end the process they play in."""
    information = tmp_path / "installed_nim-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: installed-nim\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[tactician.games]\nnim = installed_nim:ENTRY\n")
    (tmp_path / "installed_nim.py").write_text(KILLERS)
    monkeypatch.syspath_prepend(tmp_path)  # workers have the path of their parent
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # those of a cluster don't


def alone(games: int = 4) -> dict[str, object]:
    """What the planners' games are in one process."""
    return tournament(GAME, PLANNERS, games, BUDGET, seed=3).to_json()


# -- local processes -----------------------------------------------------------------------------------------

STARTING = """
import multiprocessing, pathlib, threading, time
from tactician.arena import tournament

def tell(wanted):
    while len(multiprocessing.active_children()) < wanted:
        time.sleep(0.001)
    print("started", flush=True)

def tell_when_one_imports():
    while not (children := multiprocessing.active_children()):
        time.sleep(0.001)
    while "numpy" not in pathlib.Path(f"/proc/{{children[0].pid}}/maps").read_text():
        time.sleep(0.001)
    print("started", flush=True)

if {at_once}:
    threading.Thread(target=tell_when_one_imports, daemon=True).start()
try:
    tournament(
        {game!r}, {planners!r}, 4000, "60evals", jobs=2, on_progress=lambda r: {at_once} or r.records and tell(2)
    )
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


def started(at_once: bool) -> subprocess.Popen[str]:
    """A tournament with two workers, which are just importing, or have played."""
    script = STARTING.format(at_once=at_once, game=GAME, planners=PLANNERS)
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"TACTICIAN_QUIET": "1"},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    return process


@pytest.mark.parametrize("number", rest_slow([signal.SIGKILL, signal.SIGTERM], [signal.SIGKILL]))
def test_workers_end_with_a_parent_that_is_killed(number: signal.Signals) -> None:
    process = started(at_once=False)
    process.send_signal(number)
    try:
        process.communicate(timeout=LIMIT_S)  # the pipe ends when nobody holds it any more
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def test_a_worker_that_is_stopped_is_replaced_and_every_game_is_played() -> None:
    before = multiprocessing.active_children()
    stopped: list[int] = []

    def stop_one(result: Tournament) -> None:
        workers = [child.pid for child in multiprocessing.active_children() if child not in before and child.pid]
        if result.records and not stopped and workers:
            stopped.append(workers[0])
            os.kill(workers[0], signal.SIGSTOP)

    result = tournament(GAME, PLANNERS, 40, BUDGET, seed=3, jobs=2, on_progress=stop_one)
    assert stopped
    assert result.to_json() == alone(40)


STOPPING = """
import multiprocessing, os, signal
from tactician.arena import tournament

def stop_all(result):
    if result.records:
        for child in multiprocessing.active_children():
            os.kill(child.pid, signal.SIGSTOP)
            os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WNOWAIT)
        print(*(child.pid for child in multiprocessing.active_children()), flush=True)
        os.kill(os.getpid(), signal.SIGINT)

try:
    tournament({game!r}, {planners!r}, 4000, "60evals", jobs=2, on_progress=stop_all)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


def test_ctrl_c_ends_workers_that_are_stopped() -> None:
    script = STOPPING.format(game=GAME, planners=PLANNERS)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=LIMIT_S)
    workers, last = done.stdout.splitlines()
    assert last == "stopped"
    for pid in workers.split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs to see what a process has loaded")
def test_ctrl_c_while_workers_start_is_heard_by_the_parent_alone() -> None:
    process = started(at_once=True)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    out, err = process.communicate(timeout=LIMIT_S)
    assert out == "stopped\n"
    assert err == ""


@pytest.mark.usefixtures("killers")
def test_an_agent_that_ends_its_worker_forfeits_and_everybody_else_plays() -> None:
    result = tournament("nim", (*PLANNERS, "killer"), 1, BUDGET, seed=3, jobs=2)
    assert len(result.records) == 3
    died = [record for record in result.games() if record.error is not None]
    assert len(died) == 2
    for record in died:
        seat = record.pairing.seats.index("killer")
        assert record.error == "the process died in this game."
        assert record.error_seat == seat
        assert (record.returns[seat], record.returns[1 - seat]) == (-1.0, 1.0)
    (healthy,) = (record for record in result.games() if record.error is None)
    (expected,) = tournament("nim", PLANNERS, 1, BUDGET, seed=3).games()
    assert healthy.returns == expected.returns


@pytest.mark.slow
@pytest.mark.usefixtures("killers")
def test_of_two_strangers_neither_is_blamed_and_the_sentence_names_both() -> None:
    with pytest.raises(WorkersDiedError, match="it is not known which seat causes this") as caught:
        tournament("nim", ("killer", "other-killer"), 1, BUDGET, jobs=2)
    assert "the game of killer against other-killer" in str(caught.value)


def test_a_crew_plays_on_in_the_same_processes() -> None:
    pairings = TournamentPlan(GAME, PLANNERS, 8, BUDGET, 3).pairings()

    def workers() -> set[int | None]:
        return {child.pid for child in multiprocessing.active_children()}

    before = workers()
    with Crew(2) as crew:
        first = list(play_all(pairings[:4], crew=crew))
        those = workers() - before
        rest = list(play_all(pairings[4:], crew=crew))
        assert workers() - before == those
    assert len(those) == 2
    played = Tournament(TournamentPlan(GAME, PLANNERS, 8, BUDGET, 3), {r.pairing.key: r for r in (*first, *rest)})
    assert played.to_json() == alone(8)


# -- a cluster -----------------------------------------------------------------------------------------------


@pytest.fixture
def one_death_is_enough() -> Iterator[None]:
    """Let Dask give a call up at the first death, not at the fourth."""
    pytest.importorskip("distributed")  # brings the defaults that are restored at the end
    dask = pytest.importorskip("dask")
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        yield


@pytest.mark.usefixtures("one_death_is_enough")
@pytest.mark.slow
def test_a_call_that_dask_gives_up_is_made_again() -> None:
    distributed = pytest.importorskip("distributed")
    killed: list[int] = []
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:

        def kill_the_worker(result: Tournament) -> None:
            if result.records and not killed:
                killed.append(cluster.workers[0].pid)
                os.kill(killed[0], signal.SIGKILL)

        result = tournament(
            GAME, PLANNERS, 4, BUDGET, seed=3, cluster=cluster.scheduler_address, on_progress=kill_the_worker
        )
    assert killed
    assert result.to_json() == alone()


@pytest.mark.slow
@pytest.mark.usefixtures("one_death_is_enough", "killers")
def test_an_agent_that_ends_workers_of_a_cluster_forfeits() -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        result = tournament("nim", ("random", "killer"), 1, BUDGET, seed=3, cluster=cluster.scheduler_address)
    (record,) = result.games()
    assert record.error == "the process died in this game."
    assert record.pairing.seats[record.error_seat or 0] == "killer"


@pytest.fixture
def scheduler() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A scheduler in a process of its own, and its address."""
    with started_scheduler() as found:
        yield found


@contextlib.contextmanager
def started_scheduler(*files: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    pytest.importorskip("distributed")
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).parent / "arena_cluster.py"), *map(str, files)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def add_a_worker(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def test_a_scheduler_that_is_killed_is_one_sentence_and_finished_games_are_kept(
    scheduler: tuple[subprocess.Popen[str], str], tmp_path: Path
) -> None:
    process, address = scheduler
    add_a_worker(process)
    store = tmp_path / "games.sqlite"
    options = ["--games", "4000", "--budget", BUDGET, "--cluster", address, "--out", str(store)]
    playing = subprocess.Popen(
        [sys.executable, "-m", "tactician.cli.main", "arena", GAME, *PLANNERS, *options],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TACTICIAN_QUIET": "1"},
    )
    deadline = time.monotonic() + LIMIT_S
    while not stored(store) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.kill()
    _, said = playing.communicate(timeout=LIMIT_S)
    assert re.fullmatch(rf"tactician: cluster '{address}' was lost: .*; \d+ games are left\.\n", said)
    assert playing.returncode == ClusterLostError.exit_code == 1
    assert 1 <= stored(store) < 4000


def stored(store: Path) -> int:
    if store.exists():
        with contextlib.suppress(StoreError), open_store(store) as opened:  # it may be in the making
            return len(opened.played(1)) if opened.tournaments() else 0
    return 0


@pytest.mark.slow
def test_a_cluster_without_workers_is_waited_for_and_a_line_says_so(
    scheduler: tuple[subprocess.Popen[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    process, address = scheduler

    class Ear(io.StringIO):
        def write(self, text: str) -> int:
            if "waiting" in text:
                add_a_worker(process)
            return super().write(text)

    ear = Ear()
    monkeypatch.delenv("TACTICIAN_QUIET", raising=False)
    monkeypatch.setattr(sys, "stderr", ear)
    result = tournament(GAME, PLANNERS, 4, BUDGET, seed=3, cluster=address)
    assert f"tactician: waiting for workers of {address}\n" in ear.getvalue()
    assert result.to_json() == alone()


def certificate(folder: Path, name: str, signer: str | None) -> tuple[Path, Path]:
    """A certificate and its key, signed by another, or by itself."""
    cert, key, request = (str(folder / f"{name}.{kind}") for kind in ("pem", "key", "csr"))
    make = ["req", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-subj", f"/CN={name}"]
    if signer is None:
        commands = [[*make, "-x509", "-days", "2", "-out", cert]]
    else:
        signing = ["-CA", str(folder / f"{signer}.pem"), "-CAkey", str(folder / f"{signer}.key"), "-CAcreateserial"]
        commands = [[*make, "-out", request], ["x509", "-req", "-days", "2", "-in", request, "-out", cert, *signing]]
    for command in commands:
        subprocess.run(["openssl", *command], check=True, capture_output=True)
    return Path(cert), Path(key)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl for certificates")
@pytest.mark.slow
def test_a_cluster_behind_tls_takes_a_client_with_a_certificate_and_no_other(tmp_path: Path) -> None:
    ca, _ = certificate(tmp_path, "authority", None)
    node = certificate(tmp_path, "node", "authority")
    mine = certificate(tmp_path, "mine", "authority")
    stranger = certificate(tmp_path, "stranger", None)
    with started_scheduler(ca, *node) as (process, address):
        assert address.startswith("tls://")
        add_a_worker(process)
        query = "?ca={}&cert={}&key={}"
        result = tournament(GAME, PLANNERS, 4, BUDGET, seed=3, cluster=address + query.format(ca, *mine))
        assert result.to_json() == alone()
        for refused in (address + query.format(ca, *stranger), address.replace("tls", "tcp")):
            with pytest.raises(InvalidParameterError, match="can't be reached: ") as caught:
                tournament(GAME, PLANNERS, 4, BUDGET, seed=3, cluster=refused)
            assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("cluster", "sentence"),
    [
        ("tls://h:1?ca=nothing.pem", "ca of cluster 'tls://h:1' is 'nothing.pem'; expected a file."),
        ("tls://h:1?cat=x", "unknown parameter of cluster 'tls://h:1': 'cat'; did you mean 'ca'?"),
        ("tls://h:1?ca", "has parameters that can't be read; expected tls://h:1?ca=FILE&cert=FILE&key=FILE."),
        (f"tcp://h:1?ca={__file__}", "is not reached by TLS, and ca is given; expected tls://HOST:PORT."),
        (f"tls://h:1?key={__file__}", "is given a key without a cert; expected both."),
    ],
)
def test_addresses_of_clusters_that_can_not_be(cluster: str, sentence: str) -> None:
    with pytest.raises(TacticianError) as refused:
        Crew(1, cluster)
    assert sentence in str(refused.value)
