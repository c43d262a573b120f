"""`python -m cli` is `cartulary`, for a checkout whose scripts are not on the PATH."""

from cli.main import main

main(prog_name="cartulary")
