"""The network to one node of a cluster: that of the store, but for what becomes of the node."""

from __future__ import annotations

from simulation.store.server import ModelServer
from simulation.world.network import Network


class NodeNetwork(Network):
    """The connections to a node; processes reach it as they reach the store of `first`.

    What a master has done goes to its replicas some time later, record by record, while
    `is_replicating`.
    """

    def __init__(self, first: Network, node: ModelServer) -> None:
        super().__init__(first.world, node, first.is_blocked)
        self.first, self.node = first, node
        self.cut_off, self.heard, self.unmodelled = first.cut_off, first.heard, first.unmodelled
        self.meddle = lambda process, words: first.meddle(process, words)
        self.is_replicating = True
        self._is_due = False

    def draw_delay(self) -> int:
        """Return the ns that a message takes."""
        return self.first.draw_delay()

    def look_for_pushed(self) -> None:
        """Send what the node has for its sessions, and what has changed to its replicas."""
        super().look_for_pushed()
        if not self._is_due and self.is_replicating and self._has_lag():
            self._is_due = True
            self.world.at(self.draw_delay(), self._replicate)

    def _has_lag(self) -> bool:
        return any(one.lag for one in self.node.replicas)

    def _replicate(self) -> None:
        self._is_due = False
        if not self.is_up or not self.is_replicating:
            return
        for replica in self.node.replicas:
            replica.replicate()
        self.look_for_pushed()

    def follow_on(self) -> None:
        """Let the replicas go on that were held back."""
        self.is_replicating = True
        self.look_for_pushed()
