"""What is fast, against what, in one run: `python -m bench NAME [--seconds S] [--json]`."""

import os
import secrets

# The services under measurement need a key for the secrets of the draws.
os.environ.setdefault("CARTULARY_SECRET", secrets.token_hex(32))
