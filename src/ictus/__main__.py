"""`python -m ictus` is `ictus`."""

from ictus.cli.main import main

if __name__ == "__main__":
    main()
