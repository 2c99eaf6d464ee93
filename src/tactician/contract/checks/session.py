"""Runs checks and collects what they find: the first finding of each, failures of rules among them."""

from __future__ import annotations

import traceback
from pathlib import Path
from types import TracebackType

from tactician.contract.checks.modes import Position, answers
from tactician.contract.checks.report import Finding
from tactician.contract.checks.visit import Check, Visit, short, source
from tactician.contract.game import Game
from tactician.errors import IllegalActionError, RuleFailureError

_PACKAGE = Path(__file__).parents[1]


class Session:
    """One run of `check_game`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        """As it was given."""
        self.playing = game
        """As it is played: with bounds checks where that is possible."""
        self.findings: dict[str, Finding] = {}
        self.ran: dict[str, None] = {}
        self.rules_failed = False
        """Whether a rule raised: then what is compiled is not safe to run."""
        self._raised: set[str] = set()

    def find(self, check: str, message: str, place: str = "") -> None:
        """Keep a finding if it is the first of its check."""
        self.ran.setdefault(check)
        self.findings.setdefault(check, Finding(check, f"{message} ({place})." if place else f"{message}."))

    def run(self, check: Check, visit: Visit) -> bool:
        """Run one check at one position; False if the game can't go on."""
        if not check.fatal and (check.name in self.findings or check.name in self._raised):
            return True
        self.ran.setdefault(check.name)
        try:
            problem = check.function(visit)
        except Exception as error:
            self._raised.add(check.name)
            self.fail(error, visit, check.name if check.face else "rules-run")
            return not check.fatal
        if problem is None:
            return True
        self.find(check.name, problem, visit.place)
        return not check.fatal

    def fail(self, error: Exception, visit: Visit, otherwise: str) -> None:
        """Turn an exception into a finding: of the rule that raised it, or `otherwise` where it was no rule."""
        cause = error.__cause__ or error
        bounded = self.playing.backend.mode in ("checked", "interpreted")
        if isinstance(error, IllegalActionError):
            self.find("is-legal", f"{visit.rule('is_legal')} refuses what legal_actions lists: {error}", visit.place)
            return
        if not isinstance(error, RuleFailureError) and otherwise != "rules-run":
            self.find(otherwise, _raises("", error), visit.place)
            return
        name = "rules-run"
        if "max_actions" in str(error):
            name = "max-actions"
        elif isinstance(cause, IndexError) and bounded:
            name = "bounds"
            error = self._explained(error, visit)
        self.rules_failed = True
        rule = rule_of(error)
        place = visit.place if visit.action is None else f"{visit.place}, action {visit.action}"
        self.find(name, _raises(f"rule {source(self.game, rule)}" if rule else "", error), place)

    def _explained(self, error: Exception, visit: Visit) -> Exception:
        """The same failure of interpreted rules, which know the line and the index; else the failure itself."""
        if self.playing.backend.mode != "checked":
            return error
        try:
            for _ in answers(self.game.interpreted(), Position.of(visit)):
                pass
        except Exception as clearer:
            if isinstance(clearer.__cause__, IndexError) and rule_of(clearer) == rule_of(error):
                return clearer
        return error


def _raises(subject: str, error: Exception) -> str:
    """What went wrong, in words."""
    cause = error.__cause__
    if isinstance(error, RuleFailureError) and cause is None:
        return f"{subject or 'a rule'} fails: {str(error).rstrip('.')}"
    cause = cause or error
    where = _line(cause.__traceback__)
    text = " ".join(str(cause).split()).rstrip(".")
    at = f"{where} raises" if not subject else f"{subject} raises"
    suffix = f" at {where}" if subject and where else ""
    return f"{at if where or subject else 'the game raises'} {type(cause).__name__}: {short(text)[1:-1]}{suffix}"


def _line(trace: TracebackType | None) -> str:
    """The innermost line of the author's own code in a traceback."""
    for frame in reversed(traceback.extract_tb(trace)):
        path = Path(frame.filename)
        if _PACKAGE not in path.parents and "site-packages" not in path.parts and path.suffix == ".py":
            return f"{path.name}, line {frame.lineno}"
    return ""


def rule_of(error: BaseException) -> str:
    """The rule that was being run when the error came up, if it was one."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code is Game.run.__code__:
            return str(trace.tb_frame.f_locals["name"])
        trace = trace.tb_next
    return ""
