"""Ways out of the house: an HTTPS request to an address that a person gave.

The rules against forged requests of the server (SSRF, OWASP): `targets` reads the address,
`names` resolves it, `addresses` says which results are public, `connecting` connects to exactly
those, `sending` makes the request within bounds.
"""

from cartulary.notices.egress.errors import DeliveryFailed, TargetRefused
from cartulary.notices.egress.policy import EgressPolicy
from cartulary.notices.egress.sending import Reply, Sender
from cartulary.notices.egress.targets import Target, read_target

__all__ = [
    "DeliveryFailed",
    "EgressPolicy",
    "Reply",
    "Sender",
    "Target",
    "TargetRefused",
    "read_target",
]
