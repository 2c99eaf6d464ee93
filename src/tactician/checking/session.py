"""Runs checks and collects what they find: the first finding of each, failures of rules among them."""

from __future__ import annotations

from tactician.checking.modes import Position, answers
from tactician.checking.report import Finding
from tactician.checking.visit import Check, Visit, source
from tactician.contract.game import Game
from tactician.contract.state import State
from tactician.errors import IllegalActionError, InvalidGameError, RuleFailureError
from tactician.native import abi, tables
from tactician.native.failures import author_line, in_words


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

    def not_compiled(self, error: Exception) -> None:
        """Keep as a finding that the rules don't compile."""
        if isinstance(error, InvalidGameError):
            self.find("compiles", str(error).rstrip("."))
            return
        rule, _ = failing_call(error)
        subject = f"rule {source(self.game, rule)}" if rule else "a rule"
        self.find("compiles", f"{subject} does not compile: {type(error).__name__}: {error}")

    def find(self, check: str, message: str, place: str = "") -> None:
        """Keep a finding if it is the first of its check."""
        self.ran.setdefault(check)
        self.findings.setdefault(check, Finding(check, f"{message} ({place})." if place else f"{message}."))

    def run(self, check: Check, visit: Visit) -> bool:
        """Run one check at one position; False if the game can't continue."""
        if not check.fatal and (check.name in self.findings or check.name in self._raised):
            return True
        self.ran.setdefault(check.name)
        try:
            problem = check.function(visit)
        except Exception as error:
            self._raised.add(check.name)
            self.fail(error, visit, check)
            return not check.fatal
        if problem is None:
            return True
        self.find(check.name, problem, visit.place)
        return not check.fatal

    def fail(self, error: Exception, visit: Visit, check: Check | None = None) -> None:
        """Turn an exception into a finding: of the rule that raised it, or of what the check is about."""
        if isinstance(error, IllegalActionError):
            rule = "is_legal" if "is_legal" in self.game.backend.rule_names else "legal_actions"
            text = str(error).rstrip(".")
            self.find("is-legal", f"{visit.rule(rule)} refuses what legal_actions listed: {text}", visit.place)
        elif check is not None and check.presentation and getattr(error, "rule", None) not in abi.RULE_BY_NAME:
            subject = " or ".join(source(self.game, name) for name in check.presentation)
            self.find(check.name, raises(subject, error), visit.place)
        else:
            self._rule_failed(error, visit)

    def _rule_failed(self, error: Exception, visit: Visit) -> None:
        self.rules_failed = True
        name = "rules-run"
        if "max_actions" in str(error):
            name = "max-actions"
        elif isinstance(error.__cause__, IndexError) and self.playing.backend.mode in ("checked", "interpreted"):
            name = "bounds"
        error = self._explained(error, visit)
        rule, action = failing_call(error)
        place = visit.place if action is None else f"{visit.place}, action {action}"
        self.find(name, raises(f"rule {source(self.game, rule)}" if rule else "a rule", error), place)

    def _explained(self, error: Exception, visit: Visit) -> Exception:
        """The same failure of interpreted rules, which know the line and the index; else the failure itself.

        Compiled code knows no line, or the one it had when it was compiled.
        """
        if self.playing.backend.mode != "checked":
            return error
        try:
            for _ in answers(self.game.interpreted(), Position.of(visit)):
                pass
        except Exception as clearer:
            same_kind = isinstance(clearer.__cause__, type(error.__cause__))
            if same_kind and failing_call(clearer)[0] == failing_call(error)[0]:
                return clearer
        if error.__cause__ is not None:
            error.__cause__.__traceback__ = None
        return error


def raises(subject: str, error: Exception) -> str:
    """What went wrong, in words."""
    cause = error.__cause__
    if isinstance(error, RuleFailureError) and cause is None:
        return f"{subject} fails: {str(error).rstrip('.')}"
    cause = cause or error
    where = author_line(cause.__traceback__)
    return f"{subject} raises {in_words(cause)}{where and f', at {where}'}"


def failing_call(error: BaseException) -> tuple[str, int | None]:
    """The rule that was run or compiled when the error came up, and the action it was about, if any."""
    trace = error.__traceback__
    while trace is not None:
        code, known = trace.tb_frame.f_code, trace.tb_frame.f_locals
        if code is Game.run.__code__:
            about_one = known["name"] in ("apply", "is_legal", "action_group")
            return str(known["name"]), int(known["numbers"][1]) if about_one else None
        if code is tables.compile_rule.__code__:
            return str(known["name"]), None
        if code is State._taken.__code__:
            return str(known["rule"]), None
        trace = trace.tb_next
    return "", None
