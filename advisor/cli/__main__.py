"""`python -m advisor.cli` is `pisti`."""

from advisor.cli.main import main

main()
