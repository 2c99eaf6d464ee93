"""Learning on a GPU: the recorded step does what the ordinary one does. Skipped where there is no GPU."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tactician.games.registry import load_game
from tactician.learning import Training
from tactician.learning.learner import Learner
from tactician.learning.samples import Sample, SampleBuffer

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")


@pytest.mark.parametrize("target", ["choice", "visits", "values"])
def test_a_gpu_learns_what_the_processor_learns(target: str) -> None:
    game = load_game("pommerman")
    encoding = game.encoding()
    rng = np.random.default_rng(1)
    buffer = SampleBuffer(200, len(game.initial_state(0).words), 6)
    for seed in range(60):
        count = int(rng.integers(1, 7))
        outputs = rng.permutation(6)[:count].astype(np.int64)
        shares = rng.dirichlet(np.ones(count)).astype(np.float32)
        seen = encoding.see(game.initial_state(seed), seed % 4)
        buffer.add(Sample(seen, seed % 4, int(outputs[0]), outputs, shares))
    training = Training(game="pommerman", hidden=8, batch=16, symmetric=True)
    losses = {}
    for device in ("cpu", "cuda"):
        learner = Learner(game, encoding, training, target, device, 6)
        drawn = np.random.default_rng(2)
        losses[device] = [float(learner.update(buffer.draw(drawn, 16), step % 8)) for step in range(40)]
    assert losses["cuda"] == pytest.approx(losses["cpu"], rel=0.02)
    assert losses["cpu"][-1] < losses["cpu"][0]


def test_a_run_on_a_gpu_continues_from_its_checkpoint() -> None:
    game = load_game("royale")
    training = Training(game="royale", hidden=4, embedding=4, batch=4)
    buffer = SampleBuffer(50, len(game.initial_state(0).words), 3)
    for seed in range(20):
        seen = game.encoding().see(game.initial_state(seed), seed % 2)
        buffer.add(Sample(seen, seed % 2, seed, np.array([seed, 7, 9]), np.array([0.2, 0.5, 0.7], np.float32)))
    one = Learner(game, game.encoding(), training, "values", "cuda", 3)
    for step in range(8):
        one.update(buffer.draw(np.random.default_rng(step), 4))
    other = Learner(game, game.encoding(), training, "values", "cuda", 3)
    other.restore(one.to_tensors(), one.updates)
    for step in range(8, 16):
        losses = [float(each.update(buffer.draw(np.random.default_rng(step), 4))) for each in (one, other)]
        assert losses[0] == pytest.approx(losses[1], rel=0.01)
