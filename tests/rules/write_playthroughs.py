"""Write the golden playthroughs anew: `python -m tests.rules.write_playthroughs`, after a change that is meant."""

from tests.rules.playthrough import FOLDER, PLAYTHROUGHS, tell


def main() -> None:
    """Write every playthrough to its file."""
    FOLDER.mkdir(exist_ok=True)
    for game in PLAYTHROUGHS:
        game.path.write_text("\n".join(tell(game)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
