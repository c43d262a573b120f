"""Clients on a socket of the machine, as a proxy on the same machine is."""

from __future__ import annotations

import socket

from tests.service.support.server_in_process import GET, Served, came


def test_a_client_on_a_socket_of_the_machine_has_no_address(served: Served) -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with theirs:
        theirs.sendall(GET % b"/client")
        served.server.admit(ours, "", "/run/cartulary.sock")
        served.turn()
        assert came(theirs).endswith(b"\r\n\r\n[]")
