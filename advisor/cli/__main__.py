"""`python -m advisor.cli` is `pisti`."""

from advisor.cli.main import main

# Worker processes import this module again under another name.
if __name__ == "__main__":
    main()
