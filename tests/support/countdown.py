"""The text of a small game of plain objects, for tests that write files and packages of a user's."""

RULES = '''
from tactician.contract import plain


class Countdown:
    """Count down; the last to count wins."""

    def __init__(self, left):
        self.left = left

    def initial_state(self, rng):
        return (0, self.left)

    def legal_actions(self, state, player):
        return [1, 2] if state[1] > 1 else [1]

    def apply(self, state, action, rng):
        return (1 - state[0], state[1] - action)

    def current_player(self, state):
        return state[0]

    def is_over(self, state):
        return state[1] == 0

    def returns(self, state):
        return [1.0, -1.0] if state[0] else [-1.0, 1.0]

    def evaluate(self, state):
        return [0.0, 0.0]
'''
