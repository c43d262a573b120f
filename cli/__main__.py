"""`python -m cartulary.cli` is `cartulary`, for a checkout whose scripts are not on the PATH."""

from cartulary.cli.main import main

main(prog_name="cartulary")
