"""What is asked, by the name that its sentence has in every front: deputies are asked otherwise than a sheriff."""

from p2p_sheriff.rules import Choice, State
from p2p_sheriff.rules.steps import AskDiscard, ShareOut


def question(state: State, choice: Choice) -> str:
    """Returns the name of a question."""
    match choice, state.todo:
        case ((Choice.NAME_FIRST | Choice.ACT), _) if len(state.officers) == 2:
            return f"{choice.name.lower()}_deputy"
        case Choice.SHARE_LOOT, (ShareOut(proposal), *_) if proposal is not None:
            return "share_answer"
        case Choice.DISCARD, (AskDiscard(swap=True), *_):
            return "swap"
        case _:
            return choice.name.lower()
