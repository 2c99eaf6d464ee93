"""mctx and Pgx on the CPU, for orientation: prints one JSON document for `peers.py --jax PYTHON`.

It runs in an environment of its own, which needs mctx and pgx. Search: mctx's MuZero policy on Pgx's Connect Four with
uniform priors, a leaf valued by one random game to the end, as the other searches do. Steps: random legal actions in
batches. Both are timed after compilation.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from typing import Any

SIMULATIONS, BATCHES, STEPS, ROUNDS = 512, (1, 64), 64, 5


def main() -> None:
    """Measure and print."""
    import jax
    import mctx
    import pgx

    env = pgx.make("connect_four")
    start = jax.jit(jax.vmap(env.init))
    found: dict[str, Any] = {"mctx": mctx.__version__, "pgx": pgx.__version__, "jax": jax.__version__}
    for batch in BATCHES:
        search = jax.jit(lambda key, states: _search(env, key, states))
        states = start(jax.random.split(jax.random.PRNGKey(0), batch))
        seconds = _timed(lambda key, search=search, states=states: search(key, states))  # type: ignore[misc]
        found[f"simulations_{batch}"] = batch * SIMULATIONS / seconds
    for batch in (1, 1024, 8192):
        walk = jax.jit(lambda key, states: _walk(env, key, states))
        states = start(jax.random.split(jax.random.PRNGKey(0), batch))
        seconds = _timed(lambda key, walk=walk, states=states: walk(key, states))  # type: ignore[misc]
        found[f"steps_{batch}"] = batch * STEPS / seconds
    print(json.dumps(found))


def _timed(work: Callable[[Any], Any]) -> float:
    """The median time of a compiled call, in seconds of CPU time of all threads."""
    import jax

    jax.block_until_ready(work(jax.random.PRNGKey(1)))
    times = []
    for number in range(ROUNDS):
        before = time.process_time()
        jax.block_until_ready(work(jax.random.PRNGKey(2 + number)))
        times.append(time.process_time() - before)
    return statistics.median(times)


def _random_action(key: Any, mask: Any) -> Any:
    import jax
    import jax.numpy as jnp

    return jax.random.categorical(key, jnp.where(mask, 0.0, -1e9))


def _walk(env: Any, key: Any, states: Any) -> Any:
    """Random steps of a batch; games that end start anew."""
    import jax

    batch = states.current_player.shape[0]

    def step(states: Any, key: Any) -> tuple[Any, None]:
        one, other = jax.random.split(key)
        actions = jax.vmap(_random_action)(jax.random.split(one, batch), states.legal_action_mask)
        fresh = jax.vmap(env.init)(jax.random.split(other, batch))
        after = jax.vmap(env.step)(states, actions)
        ended = after.terminated

        def chosen(new: Any, old: Any) -> Any:
            import jax.numpy as jnp

            return jnp.where(ended.reshape(ended.shape + (1,) * (old.ndim - 1)), new, old)

        return jax.tree_util.tree_map(chosen, fresh, after), None

    return jax.lax.scan(step, states, jax.random.split(key, STEPS))[0]


def _search(env: Any, key: Any, states: Any) -> Any:
    import jax
    import jax.numpy as jnp
    import mctx

    def playout(state: Any, key: Any) -> Any:
        """The result for the player to move of one random game."""
        player = state.current_player

        def more(carry: Any) -> Any:
            state, key, rewards = carry
            key, draw = jax.random.split(key)
            state = env.step(state, _random_action(draw, state.legal_action_mask))
            return state, key, rewards + state.rewards

        begin = (state, key, jnp.zeros_like(state.rewards))
        _, _, rewards = jax.lax.while_loop(lambda carry: ~carry[0].terminated, more, begin)
        return rewards[player]

    def recurrent(_params: Any, key: Any, actions: Any, embedding: Any) -> Any:
        before = embedding.current_player
        after = jax.vmap(env.step)(embedding, actions)
        rewards = jax.vmap(lambda rewards, player: rewards[player])(after.rewards, before)
        keys = jax.random.split(key, actions.shape[0])
        values = jnp.where(after.terminated, 0.0, jax.vmap(playout)(after, keys))
        logits = jnp.where(after.legal_action_mask, 0.0, -1e9)
        output = mctx.RecurrentFnOutput(
            reward=rewards,
            discount=jnp.where(after.terminated, 0.0, -1.0),
            prior_logits=logits,
            value=values,
        )
        return output, after

    logits = jnp.where(states.legal_action_mask, 0.0, -1e9)
    root = mctx.RootFnOutput(prior_logits=logits, value=jnp.zeros(logits.shape[0]), embedding=states)
    return mctx.muzero_policy((), key, root, recurrent, SIMULATIONS, invalid_actions=~states.legal_action_mask).action


if __name__ == "__main__":
    main()
