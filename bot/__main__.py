"""``footnote`` and ``python -m bot``: the command line."""

from bot.cli.app import main

if __name__ == "__main__":
    main()
