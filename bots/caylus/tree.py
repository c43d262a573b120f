"""The bot that searches a tree: its own moves, the replies of the others, and its answers to these.

Each iteration walks down the tree, adds one position to it, and plays that position out to the end
of the round. In the tree every seat chooses what did best for that seat so far, and tries what
greedy likes; so the best replies of the others are searched. Beyond the tree all seats play as
greedy does with small misjudgements, so a move is judged by the average of many ways to go on.

An iteration depends on the iterations before it and not on the budget. So a thought that a time
limit ended is repeated by the number of its iterations.
"""

from __future__ import annotations

import random
from math import inf, sqrt
from typing import Final

from cartulary.bots.caylus.greedy import judge
from cartulary.bots.caylus.leaf import LEARNED, Leaf
from cartulary.bots.caylus.outlook import rounds_left
from cartulary.bots.caylus.search import ExpectedEnding
from cartulary.bots.caylus.weights import DOUBT, TREE, TreeWeights
from cartulary.bots.thought import Budget, Thought, Value
from cartulary.engine.caylus.moves import Move
from cartulary.engine.caylus.state import CaylusState

SEEDS: Final = 1 << 32

DOUBLINGS: Final = 6


def find_trust(promise: float, spread: float) -> float:
    """Return 1 for a promise of 0, and about a third for every `spread` points less than 0.

    It decides moves, so it takes multiplications and a division, which every machine rounds alike:
    `math.exp` is as exact as the library of the machine.
    """
    power = 1 - promise / spread / (1 << DOUBLINGS)
    for _ in range(DOUBLINGS):
        power *= power
    return 1 / power


class Branch:
    """A move of a node, and what its iterations found.

    Attributes: `move`; `promise`, what greedy expects of it less what greedy expects of the best
    move; `trust`, 1 for the move that greedy likes best, less for the others. `visits` iterations
    came through; `total`, `margin`, `square` and `wins` are their sums: of the worth to the seat
    of the node, of its margin, of the square of that margin, of its chance to win. `node` is what
    the tree has behind the move. `end` is the end of the round that is certain after the move,
    because no player has a choice any more or every reply was searched; `worth` is its worth.
    """

    __slots__ = (
        *("end", "margin", "move", "node", "promise"),
        *("square", "total", "trust", "visits", "wins", "worth"),
    )

    def __init__(self, move: Move, promise: float, spread: float) -> None:
        self.move = move
        self.promise = promise
        self.trust = find_trust(promise, spread)
        self.visits = 0
        self.total = self.margin = self.square = self.wins = self.worth = 0.0
        self.node: TreeNode | None = None
        self.end: ExpectedEnding | None = None

    def settle(self, end: ExpectedEnding, seat: int) -> None:
        """Note the end of the round that is certain after the move of a seat."""
        self.end = end
        self.worth = end.find_worth(seat)

    def rate(self, usual: float, promises: float) -> float:
        """Return what the move is worth; greedy's promise counts like so many iterations.

        `usual` is what an iteration through the node is worth on average.
        """
        if self.end is not None:
            return self.worth
        expected = promises * (usual + self.promise)
        return (self.total + expected) / (self.visits + promises)

    def is_known(self, enough: float) -> bool:
        """Return whether the move was tried often enough to be chosen, or its end is certain."""
        return self.end is not None or self.visits >= enough

    def value(self, seat: int) -> Value:
        """Return the averages; the error is that of the margin over the ways to go on."""
        count = self.visits
        if self.end is not None:
            margin = self.end.find_margin(seat)
            return Value(self.move, margin, self.end.find_win(margin), count)
        margin = self.margin / count
        spread = max(0.0, self.square - count * margin * margin)
        error = sqrt((spread + DOUBT * DOUBT) / count / count)
        return Value(self.move, margin, self.wins / count, count, error)


class TreeNode:
    """A position in which a seat has a choice; `visits` and `total` are sums of its branches."""

    __slots__ = ("branches", "settings", "state", "total", "visits")

    def __init__(self, state: CaylusState, worths: list[float], settings: TreeWeights) -> None:
        best = max(worths)
        self.state = state
        self.settings = settings
        self.branches = [
            Branch(move, worth - best, settings.spread)
            for move, worth in zip(state.moves(), worths, strict=True)
        ]
        self.visits = 0
        self.total = 0.0

    def select(self) -> Branch:
        """Return the branch that the next iteration takes: good so far, or little tried."""
        usual = self.total / self.visits if self.visits else 0.0
        reach = self.settings.curiosity * sqrt(self.visits)
        choice, most = self.branches[0], -inf
        for branch in self.branches:
            if branch.end is None:
                rated = self._rate(branch, usual, reach)
                if rated > most:
                    most, choice = rated, branch
        return choice

    def find_best_end(self) -> ExpectedEnding | None:
        """Return the end that the seat chooses, None unless each move has a certain end."""
        best, most = self.branches[0].end, -inf
        for branch in self.branches:
            if branch.end is None:
                return None
            if branch.worth > most:
                most, best = branch.worth, branch.end
        return best

    def _rate(self, branch: Branch, usual: float, reach: float) -> float:
        if not branch.visits:
            return usual + branch.promise + reach * branch.trust
        rated = branch.rate(usual, self.settings.promises)
        return rated + reach * branch.trust / (1 + branch.visits)


class Tree:
    """The search of one decision; `leaf` rates the ends of the round."""

    __slots__ = ("last", "left", "rate", "root", "seed", "settings")

    def __init__(
        self,
        state: CaylusState,
        rng: random.Random,
        leaf: Leaf = LEARNED,
        settings: TreeWeights = TREE,
    ) -> None:
        self.settings = settings
        self.root = TreeNode(state.copy(), judge(state), settings)
        rng.shuffle(self.root.branches)
        self.rate, self.left = leaf(state), rounds_left(state)
        self.last = state.round + 1
        self.seed = int(rng.random() * SEEDS)

    def grow(self) -> None:
        """Make one iteration."""
        node, path = self.root, list[tuple[TreeNode, Branch]]()
        while True:
            branch = node.select()
            path.append((node, branch))
            if branch.node is None:
                break
            node = branch.node
        end = self._extend(node, branch)
        for passed, taken in path:
            count(passed, taken, end)
        if branch.end is not None:
            settle_above(path)

    def _extend(self, node: TreeNode, branch: Branch) -> ExpectedEnding:
        """Add the position behind a branch to the tree, and play it out."""
        position = node.state.copy()
        position.play(branch.move)
        if not skip_forced(position, self.last):
            end = ExpectedEnding(position, self.rate, self.left)
            branch.settle(end, node.state.seat)
            return end
        worths = judge(position)
        branch.node = TreeNode(position, worths, self.settings)
        position, rng = position.copy(), random.Random(self.seed + branch.visits)
        play_roughly(position, self.last, worths, rng, self.settings.rough)
        return ExpectedEnding(position, self.rate, self.left)

    def is_settled(self) -> bool:
        """Return whether further iterations find nothing new: each move has a certain end."""
        return self.root.find_best_end() is not None


def settle_above(path: list[tuple[TreeNode, Branch]]) -> None:
    """Settle the branches of a path, the last one first, behind which everything is certain."""
    for above in range(len(path) - 1, 0, -1):
        end = path[above][0].find_best_end()
        if end is None:
            return
        node, branch = path[above - 1]
        branch.settle(end, node.state.seat)


def think_deeply(
    state: CaylusState,
    rng: random.Random,
    budget: Budget,
    leaf: Leaf = LEARNED,
    settings: TreeWeights = TREE,
) -> Thought:
    """Return the move that the tree likes best; one iteration is one position played out."""
    if len(state.moves()) == 1:
        return Thought((state.moves()[0],), 1, ())
    tree, meter = Tree(state, rng, leaf, settings), budget.begin()
    while not meter.spent or not (meter.is_over() or tree.is_settled()):
        tree.grow()
        meter.count()
    branches = rank(tree.root)
    values = tuple([branch.value(state.seat) for branch in branches])
    return Thought((branches[0].move,), meter.spent, values)


def rank(root: TreeNode) -> list[Branch]:
    """Return the branches that were tried, the best first; those tried little come last."""
    usual, settings = root.total / root.visits, root.settings
    enough = settings.tried * max([branch.visits for branch in root.branches])
    tried = [branch for branch in root.branches if branch.visits]
    tried.sort(
        key=lambda one: (one.is_known(enough), one.rate(usual, settings.promises)), reverse=True
    )
    return tried


def count(node: TreeNode, branch: Branch, end: ExpectedEnding) -> None:
    """Count an iteration that came through a branch."""
    seat = node.state.seat
    worth, margin = end.find_worth(seat), end.find_margin(seat)
    node.visits += 1
    node.total += worth
    branch.visits += 1
    branch.total += worth
    branch.margin += margin
    branch.square += margin * margin
    branch.wins += end.find_win(margin)


def skip_forced(position: CaylusState, last: int) -> bool:
    """Make moves without a choice; returns whether a player has a choice before round `last`."""
    while position.round < last and not position.over:
        if len(position.moves()) > 1:
            return True
        position.play(position.moves()[0])
    return False


def play_roughly(
    position: CaylusState, last: int, worths: list[float], rng: random.Random, rough: float
) -> None:
    """Play on to round `last`, each seat as greedy does, misjudging moves by up to `rough`.

    `worths` is what greedy thinks of the moves of the position.
    """
    while True:
        seen = [worth + rough * (rng.random() + rng.random() - 1) for worth in worths]
        position.play(position.moves()[seen.index(max(seen))])
        if not skip_forced(position, last):
            return
        worths = judge(position)
