"""Every named option does what it says, and what makes no sense is refused in one sentence that says what would."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from planner_games import (
    ORDERS,
    TURN_PLANNERS,
    after,
    all_turns,
    coin,
    errands,
    game_of,
    is_whole_turn,
    morra,
    plain_errands,
    states_of,
    turn_continues,
    worth,
)
from planner_trees import edges_of

from tactician.contract import State
from tactician.contract.random import stream
from tactician.errors import (
    IllegalActionError,
    InvalidBudgetError,
    InvalidParameterError,
    TacticianError,
    UnknownNameError,
)
from tactician.games.amazons import amazons
from tactician.games.hero_academy import hero_academy
from tactician.planners import (
    EMCTS,
    MCTS,
    OEP,
    PLANNERS,
    PRESETS,
    GreedyAction,
    GreedyOEP,
    GreedyTurn,
    NonExploringMCTS,
    PermutationOEP,
    Planner,
    Random,
    game_reading,
    parse_planner,
    with_preset,
)
from tactician.planners.genome import turn_list
from tactician.planners.search_agent import SearchAgent
from tactician.seats import Budget


def a_state() -> State:
    return states_of("hero-academy")[10]


def begun(planner: Planner, state: State, seed: int = 1) -> Any:
    search = planner.search(state.game)
    search.begin(state.words, state.current_player(), stream(seed), Budget(ms=1e9))
    return search


def turns_of(search: Any) -> list[list[int]]:
    p = search._population
    return [turn_list(p.turns, row) for row in p.order]


# -- evolution -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("population", "kill_rate", "new"), [(100, 0.5, 50), (20, 0.25, 5), (10, 0.9, 9), (2, 0.5, 1)])
def test_the_kill_rate_is_the_part_that_is_replaced(population: int, kill_rate: float, new: int) -> None:
    search = begun(OEP(population=population, kill_rate=kill_rate), a_state())
    search.advance(population)
    first = turns_of(search)
    assert search.counters.evaluations == population
    search.advance(new)
    assert search.counters.iterations == 1, f"{new} new turns are a generation"
    survivors = first[: population - new]
    assert all(turns_of(search).count(turn) >= survivors.count(turn) for turn in survivors)


@pytest.mark.parametrize(("rate", "expected"), [(0.0, False), (1.0, True)])
def test_without_mutation_no_first_gene_is_new_and_with_it_some_are(rate: float, expected: bool) -> None:
    """Crossover alone can't bring an action to the first place that no turn had there."""
    search = begun(OEP(population=8, mutation_rate=rate), a_state())
    search.advance(8)
    known, seen = {turn[0] for turn in turns_of(search)}, set()
    for _ in range(100):
        search.advance(4)
        seen |= {turn[0] for turn in turns_of(search)}
    assert bool(seen - known) == expected


def test_with_rollouts_a_turn_keeps_its_lowest_value() -> None:
    state = a_state()
    search = begun(OEP(population=10, rollouts=True), state)
    search.advance(10)
    for _ in range(30):
        p = search._population
        before = {int(row): float(p.fitness[row]) for row in p.order[:5]}
        search.advance(5)  # the survivors are judged again ...
        assert all(p.fitness[row] <= value for row, value in before.items())
        search.advance(5)  # ... and then have offspring
    assert search.counters.evaluations == 10 + 300


def test_rollouts_judge_a_turn_after_the_opponents_reply() -> None:
    state, player = a_state(), a_state().current_player()
    search = begun(OEP(population=4, rollouts=True), state)
    search.advance(3)
    p = search._population
    for row in range(3):
        quiet = worth(after(state, turn_list(p.turns, row)), player)
        assert p.fitness[row] != quiet


@pytest.mark.parametrize(("part", "seeds"), [(0.0, 0), (0.2, 4), (0.5, 10), (1.0, 20)])
def test_greedy_seeds_are_greedy_actions_turns(part: float, seeds: int) -> None:
    state = a_state()
    search = begun(GreedyOEP(population=20, greedy_seeds=part), state)
    search.advance(19)
    greedy = sum(_is_greedy(state, turn) for turn in turns_of(search)[:19])
    assert greedy == min(seeds, 19)


def _is_greedy(state: State, turn: list[int]) -> bool:
    player, now = state.current_player(), state.copy()
    for action in turn:
        best = max(worth(now.copy().apply(a), player) for a in now.candidate_actions())
        now.apply(action)
        if len(turn) > 1 and worth(now, player) < best:
            return False
    return True


def test_greedy_repair_costs_evaluations_and_random_repair_does_not() -> None:
    state = a_state()
    for repair, costly in (("random", False), ("greedy", True)):
        search = begun(OEP(population=10, repair=repair), state)  # type: ignore[arg-type]
        search.advance(200)
        assert (search.counters.evaluations > search.counters.sequences) == costly


def test_the_references_oep_judges_survivors_again() -> None:
    for style, evaluations in (("paper", 10 + 5 * 5), ("reference", 10 + 5 * 10)):
        search = begun(OEP(population=10, style=style), a_state())  # type: ignore[arg-type]
        while search.counters.iterations < 5:
            search.advance(1)
        assert search.counters.evaluations == evaluations


# -- greedy turn -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ordering", ["rating", "evaluation", "none"])
def test_the_first_leaf_is_what_the_ordering_puts_first(ordering: str) -> None:
    state = states_of("errands")[0]
    plan = GreedyTurn(ordering=ordering).on(state.game).plan(state, "1its")  # type: ignore[arg-type]
    player, now = state.current_player(), state.copy()
    for action in plan.actions:
        options = now.candidate_actions()
        score = {
            "rating": now.rate_actions(options),
            "evaluation": [worth(now.copy().apply(a), player) for a in options],
            "none": [0.0] * len(options),
        }[ordering]
        assert action == options[int(np.argmax(score))]
        now.apply(action)


def test_the_references_greedy_turn_is_unsorted_looks_six_actions_ahead_and_wastes_the_rest() -> None:
    game = hero_academy(action_points=9, first_turn_points=9)
    state = game.initial_state(2)
    assert len(GreedyTurn(style="reference").on(game).plan(state, "5its").actions) == 7  # and the end of the turn
    assert len(GreedyTurn().on(game).plan(state, "5its").actions) == 10
    first = GreedyTurn(style="reference").on(game).plan(state, "1its").actions[0]
    assert first == state.candidate_actions()[0]


def test_a_table_without_room_makes_greedy_turn_visit_states_again_but_not_go_wrong() -> None:
    state = a_state()
    small, large = (GreedyTurn(table_entries=n).on(state.game).plan(state, "60000evals") for n in (16, 1 << 22))
    assert small.stats.transposition_hits < large.stats.transposition_hits
    assert is_whole_turn(state, small.actions)


# -- trees -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turns", [0, 1, 2, -1])
def test_a_rollout_ends_after_the_turns_asked_for(turns: int) -> None:
    """With ratings alone to go by, where the first iteration ends can be worked out by hand."""
    state = errands(2).initial_state(4)
    plan = MCTS(rollout_turns=turns, epsilon=1.0).on(state.game).plan(state, "1its")
    options = state.candidate_actions()
    now = state.copy().apply(options[int(np.argmax(state.rate_actions(options)))])
    while turns != 0 and not now.is_over():
        player = now.current_player()
        while turn_continues(now, player):
            options = now.candidate_actions()
            now.apply(options[int(np.argmax(now.rate_actions(options)))])
        turns -= 1
    assert plan.value == worth(now, 0)


def test_with_epsilon_one_nothing_is_left_to_chance() -> None:
    state = a_state()
    plans = [NonExploringMCTS().on(state.game, seed=seed).plan(state, "500its") for seed in range(3)]
    assert plans[0].actions == plans[1].actions == plans[2].actions
    assert plans[0].alternatives == plans[1].alternatives == plans[2].alternatives
    other = [MCTS(epsilon=0.0).on(state.game, seed=seed).plan(state, "500its") for seed in range(3)]
    assert other[0].alternatives != other[1].alternatives


def test_more_exploration_spreads_the_visits() -> None:
    state = a_state()
    depths = [
        MCTS(exploration=c, normalise="running").on(state.game).plan(state, "3000its").stats.mean_depth
        for c in (0.1, 0.5, 2.0)
    ]
    assert depths[0] > depths[1] > depths[2]


def most_visits(planner: MCTS, state: State) -> int:
    """How often the favourite action at the root was tried in 3000 simulations."""
    agent = planner.on(state.game)
    assert isinstance(agent, SearchAgent)
    agent.plan(state, "3000its")
    search: Any = agent._search
    tree, root = search._tree, search._progress.root
    return max(edge.visits for edge in edges_of(tree, root))


def test_a_running_scale_makes_uct_discriminate() -> None:
    """The declared range of Hero Academy is so wide that all means look alike."""
    state = a_state()
    assert most_visits(MCTS(normalise="running"), state) > 2 * most_visits(MCTS(normalise="range"), state)


def test_the_references_rollouts_choose_a_unit_or_card_first() -> None:
    """One group has one action, another has many: choosing the group first makes the lonely action common."""
    state = a_state()
    assert len({state.action_group(a) for a in state.candidate_actions()}) > 1
    paper, reference = (
        MCTS(style=style, epsilon=0.0).on(state.game).plan(state, "400its") for style in ("paper", "reference")
    )
    assert paper.alternatives != reference.alternatives
    # In a game without groups both are the same.
    state = errands(2).initial_state(1)
    paper, reference = (MCTS(style=style).on(state.game).plan(state, "400its") for style in ("paper", "reference"))
    assert paper.alternatives == reference.alternatives


@pytest.mark.parametrize("phases", [1, 3, 10])
def test_final_root_plays_the_turn_that_the_root_has_come_to(phases: int) -> None:
    state = a_state()
    best, root = (EMCTS(phases=phases, final=final).on(state.game).plan(state, "500its") for final in ("best", "root"))
    assert best.value is not None
    assert root.value is not None
    assert best.value >= root.value == worth(after(state, root.actions), state.current_player())


# -- for all ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("planner", [name for name in TURN_PLANNERS if name not in ORDERS])
def test_without_pruning_every_legal_action_is_considered(planner: str) -> None:
    """The early end of a turn is legal in Hero Academy but no candidate."""
    state = game_of("hero-academy").initial_state(3)
    pruned, full = (
        PLANNERS[planner](prune=prune).on(state.game).plan(state, "4000evals").stats for prune in (True, False)
    )
    assert full.branching > pruned.branching
    if planner not in ("reply", "auto", "coevolution"):  # they look at the opponent's actions as well
        assert full.branching <= len(state.legal_actions()) * 2


@pytest.mark.parametrize("planner", ORDERS)
def test_an_order_holds_everything_possible_and_knows_no_pruning(planner: str) -> None:
    for state in (game_of("hero-academy").initial_state(3), errands(3).initial_state(2)):
        pruned, full = (
            PLANNERS[planner](prune=prune).on(state.game).plan(state, "300evals") for prune in (True, False)
        )
        assert (pruned.actions, pruned.value) == (full.actions, full.value)
        assert pruned.stats.branching == full.stats.branching == 0


def test_greedy_turn_without_pruning_finds_the_best_of_all_legal_turns() -> None:
    state = hero_academy(first_turn_points=2).initial_state(3)
    best = max(worth(end, 0) for _, end in all_turns(state, prune=False))
    assert GreedyTurn(prune=False).on(state.game).plan(state, "1000000evals").value == best


def test_random_considers_everything_unless_told_otherwise() -> None:
    assert Random().prune is False
    state = game_of("hero-academy").initial_state(3)
    end = state.legal_actions()[-1]
    firsts = [Random().on(state.game, seed=seed).plan(state, "1its").actions[0] for seed in range(300)]
    assert end in firsts
    assert set(firsts) == set(state.legal_actions())
    pruned = [Random(prune=True).on(state.game, seed=seed).plan(state, "1its").actions[0] for seed in range(300)]
    assert set(pruned) <= set(state.candidate_actions())


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_sets_the_style_of_those_that_have_one(preset: str) -> None:
    style = game_reading(preset)
    assert style in ("paper", "reference")
    for kind in PLANNERS.values():
        planner = with_preset(kind(), preset)
        assert getattr(planner, "style", style) == style
        assert type(planner) is kind


def test_presets_are_what_the_papers_print() -> None:
    """Justesen et al. prune for MCTS and OEP only; Baier and Cowling prune for all and order by the evaluation."""
    pruned = {name: with_preset(kind(), "paper").prune for name, kind in PLANNERS.items() if kind().prune}
    assert {name for name, whether in pruned.items() if not whether} == {"greedy-action", "greedy-turn"}
    for preset in ("baier", "baier-root"):
        assert with_preset(GreedyTurn(), preset) == GreedyTurn(ordering="evaluation")
        assert with_preset(GreedyAction(), preset) == GreedyAction()
    assert with_preset(EMCTS(), "baier") == EMCTS()
    assert with_preset(EMCTS(phases=40), "baier-root") == EMCTS(phases=40, final="root")
    assert with_preset(GreedyTurn(), "reference") == GreedyTurn(style="reference")


def test_a_preset_keeps_what_was_set() -> None:
    assert with_preset(GreedyTurn(ordering="none"), "baier") == GreedyTurn(ordering="none")


@pytest.mark.parametrize("mutation", ["swap", "insert", "shuffle"])
def test_a_mutated_order_has_the_same_members(mutation: str) -> None:
    state = errands(2).initial_state(3)
    search = begun(PermutationOEP(mutation=mutation), state)  # type: ignore[arg-type]
    search.advance(1)
    distances = set()
    for _ in range(200):
        orders = search._pair.orders[:, : search._pair.cursor[0].length]
        before = orders[0].tolist()
        search.advance(1)
        child = orders[1].tolist()
        assert sorted(child) == sorted(before) == [1, 2, 3, 4, 5, 6], "going home is not part of the order"
        distances.add(sum(x != y for x, y in zip(before, child, strict=True)))
    assert distances == {2} if mutation == "swap" else len(distances) > 2


@pytest.mark.parametrize(
    "text",
    [
        "oep:population=20,kill_rate=0.25",
        "mcts:exploration=0.1,normalise=running,transpositions=false",
        "emcts:phases=12,final=root",
        "emcts:phases=auto",
        "greedy-turn:ordering=evaluation,style=reference",
        "random:prune=true",
        "permutation-oep:mutation=insert,budget=500evals",
        "permutation-oep:start=listed",
        "permutation-emcts:children=5,exploration=0.25,final=best",
    ],
)
def test_a_planner_is_read_from_what_it_prints(text: str) -> None:
    planner = parse_planner(text)
    assert parse_planner(str(planner)) == planner
    for pair in text.partition(":")[2].split(","):
        name, _, value = pair.partition("=")
        assert str(getattr(planner, name)).lower() == value


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("oep:population=1", ["population", "1", "2 to 100000"]),
        ("oep:kill_rate=1.5", ["kill_rate", "1.5", "between 0 and 1"]),
        ("oep:kill_rate=0", ["kill_rate", "0", "between 0 and 1"]),
        ("oep:mutation_rate=-1", ["mutation_rate", "-1", "0 to 1"]),
        ("oep:repair=magic", ["repair", "magic", "'random' or 'greedy'"]),
        ("greedy-oep:greedy_seeds=2", ["greedy_seeds", "2", "0 to 1"]),
        ("oep:style=printed", ["style", "printed", "'paper' or 'reference'"]),
        ("emcts:phases=0", ["phases", "0", "'auto' or an integer from 1"]),
        ("emcts:phases=many", ["phases", "many", "'auto' or an integer from 1"]),
        ("emcts:final=first", ["final", "first", "'best' or 'root'"]),
        ("mcts:exploration=-1", ["exploration", "-1", "from 0"]),
        ("mcts:exploration=nan", ["exploration", "nan", "from 0"]),
        ("mcts:epsilon=1.1", ["epsilon", "1.1", "0 to 1"]),
        ("mcts:rollout_turns=-2", ["rollout_turns", "-2", "-1 or more"]),
        ("mcts:normalise=never", ["normalise", "never", "'range' or 'running'"]),
        ("mcts:memory_mb=0", ["memory_mb", "0", "1 to 1048576"]),
        ("bridge-burning-mcts:reinvoke=true", ["reinvoke", "bridge_burning"]),
        ("greedy-turn:ordering=best", ["ordering", "best", "'rating', 'evaluation' or 'none'"]),
        ("greedy-turn:table_entries=1", ["table_entries", "1", "16 to 268435456"]),
        ("permutation-oep:mutation=flip", ["mutation", "flip", "'swap', 'insert' or 'shuffle'"]),
        ("permutation-oep:start=first", ["start", "first", "'random' or 'listed'"]),
        ("permutation-emcts:children=0", ["children", "0", "1 to 10000"]),
        ("permutation-emcts:exploration=inf", ["exploration", "inf", "from 0"]),
        ("permutation-emcts:final=root", ["final", "root", "'path' or 'best'"]),
        ("permutation-emcts:memory_mb=0", ["memory_mb", "0", "1 to 1048576"]),
        ("determinized:worlds=0", ["worlds", "0", "1 to 10000"]),
        ("determinized:combine=all", ["combine", "all", "'vote' or 'mean'"]),
        ("determinized:planner=opp", ["opp", "did you mean 'oep'"]),
        ("determinized:planner=(oep:population=1)", ["population", "1", "2 to 100000"]),
        ("determinized:planner=(oep:popluation=9),worlds=2", ["popluation", "did you mean 'population'"]),
        ("determinized:planner=determinized", ["planner of 'determinized'", "a planner that doesn't guess itself"]),
        ("determinized:planner=(determinized:worlds=2)", ["planner of 'determinized'", "doesn't guess"]),
        ("clairvoyant:planner=information-set-mcts", ["planner of 'clairvoyant'", "doesn't guess itself"]),
        ("information-set-mcts:exploration=-1", ["exploration", "-1", "a number from 0"]),
        ("information-set-mcts:epsilon=2", ["epsilon", "2", "0 to 1"]),
        ("information-set-mcts:rollout_turns=-2", ["rollout_turns", "-2", "-1 or more"]),
        ("information-set-mcts:normalise=no", ["normalise", "no", "'range' or 'running'"]),
        ("information-set-mcts:memory_mb=0", ["memory_mb", "0", "1 to 1048576"]),
        ("determinized:planner=(oep", ["(oep", "planner"]),
        ("oep:weights=crystal", ["weights", "crystal", "name=number;name=number"]),
        ("oep:weights=a=1;b=much", ["weights", "a=1;b=much", "name=number;name=number"]),
        ("oep:weights==1", ["weights", "=1", "name=number;name=number"]),
        ("oep:weights=a=nan", ["weights", "a=nan", "name=number;name=number"]),
        ("mcts:epsilon=much", ["epsilon", "much", "float"]),
        ("oep:rollouts=perhaps", ["rollouts", "perhaps", "bool"]),
        ("oep:population", ["population", "no value"]),
        ("oep:popluation=10", ["popluation", "did you mean 'population'"]),
        ("mtcts", ["mtcts", "did you mean 'mcts'"]),
        ("zzz", ["zzz", "there are:", "emcts", "random"]),
        ("mcts:budget=0evals", ["budget", "0", "positive"]),
        ("mcts:budget=abc", ["budget", "abc", "200ms"]),
    ],
)
def test_bad_values_are_refused_with_the_name_and_the_range(text: str, says: list[str]) -> None:
    with pytest.raises(TacticianError) as refused:
        parse_planner(text)
    message = str(refused.value)
    assert all(part in message for part in says), message
    assert "\n" not in message
    assert isinstance(refused.value, InvalidParameterError | InvalidBudgetError | UnknownNameError)


@pytest.mark.parametrize("budget", ["0evals", "0ms", "abc", "", "-5its", "1.5evals", "10", "ref:5its"])
def test_bad_budgets_are_refused(budget: str) -> None:
    with pytest.raises(InvalidBudgetError, match="budget"):
        GreedyAction().on(coin()).plan(coin().initial_state(), budget)


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'reference'"):
        with_preset(MCTS(), "referense")


@pytest.mark.parametrize("planner", TURN_PLANNERS)
def test_a_finished_game_is_refused(planner: str) -> None:
    state = errands(2).initial_state(1)
    while not state.is_over():
        state.apply(0)
    with pytest.raises(IllegalActionError, match="over"):
        PLANNERS[planner]().on(state.game).plan(state, "10evals")


@pytest.mark.parametrize("planner", [name for name in TURN_PLANNERS if name != "random"])
def test_a_game_in_which_all_act_at_once_is_refused(planner: str) -> None:
    with pytest.raises(InvalidParameterError, match="planners for that: ") as refused:
        PLANNERS[planner]().on(morra())
    assert "morra" in str(refused.value)
    inside = {"clairvoyant": "permutation-oep"}  # the agent is that of the planner inside
    assert inside.get(planner, planner) in str(refused.value)


def test_a_state_of_another_game_is_refused() -> None:
    agent = GreedyAction().on(errands(2))
    for state in (amazons(4).initial_state(), plain_errands(2).initial_state(), coin().initial_state()):
        with pytest.raises(InvalidParameterError, match="errands"):
            agent.plan(state, "10evals")


def test_a_state_of_another_plain_game_of_that_name_is_refused() -> None:
    """Its states are numbers in a table of its own, and would be read as others here."""
    agent = GreedyAction().on(plain_errands(2, 4))
    with pytest.raises(InvalidParameterError, match="another 'plain-errands'"):
        agent.plan(plain_errands(2, 5).initial_state(), "10evals")


def test_a_state_of_another_size_is_refused_but_another_evaluation_is_not() -> None:
    for agents, states in ((amazons(4), amazons(6)), (errands(2), errands(3))):
        with pytest.raises(InvalidParameterError, match=f"another '{agents.name}'"):
            GreedyAction().on(agents).plan(states.initial_state(), "10evals")
    state = amazons(4).initial_state()
    other = GreedyAction().on(amazons(4).with_weights(mobility=0.0))
    assert is_whole_turn(state, other.plan(state, "100evals").actions)


def test_every_planner_is_found_under_its_own_name() -> None:
    assert {name: kind.name for name, kind in PLANNERS.items()} == {name: name for name in PLANNERS}


def test_one_planner_is_named_without_importing_the_others() -> None:
    script = (
        "import sys; from tactician.planners import parse_planner; parse_planner('oep');"
        "print(*(name for name in sys.modules if name.startswith('tactician.planners.')))"
    )
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert "tactician.planners.oep" in loaded
    assert not {"tactician.planners.mcts", "tactician.planners.simultaneous"}.intersection(loaded)
