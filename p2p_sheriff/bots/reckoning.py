"""All that can be worked out from one view, each part when it is first asked for."""

from collections import Counter
from functools import cached_property

from p2p_sheriff.bots.appraisal import Appraisal, Appraiser
from p2p_sheriff.bots.belief import Suspicion, suspicion, unseen
from p2p_sheriff.bots.memory import Memory
from p2p_sheriff.bots.officers import Observer, Officers
from p2p_sheriff.bots.outlook import Outlook
from p2p_sheriff.bots.packing import Packing
from p2p_sheriff.rules.cards import Kind, Seat
from p2p_sheriff.rules.view import View


class Reckoning:
    """What a player makes of one moment."""

    def __init__(self, view: View, memory: Memory, appraiser: Appraiser, observer: Observer, thrill: float) -> None:
        self.view = view
        self._memory = memory
        self._appraiser = appraiser
        self._observer = observer
        self._thrill = thrill
        self._suspicions: dict[Seat, Suspicion] = {}

    @cached_property
    def rivalry(self) -> float:
        """How much a gold piece of one rival weighs against an own one."""
        return 1 / (len(self.view.state.seats) - 1)

    @cached_property
    def left(self) -> Counter[Kind]:
        """The cards that this seat can't see."""
        return unseen(self.view)

    @cached_property
    def appraisal(self) -> Appraisal:
        """What goods are worth to this seat."""
        return self._appraiser.appraise(self.view)

    @cached_property
    def officers(self) -> Officers:
        """How likely the own bag is inspected."""
        return self._observer.officers(self.view)

    @cached_property
    def packing(self) -> Packing:
        """What bags are worth."""
        return Packing(self.view, self.appraisal, self.officers, self.rivalry)

    @cached_property
    def outlook(self) -> Outlook:
        """What hands are worth before the draws."""
        return Outlook(self.view, self.appraisal, self.officers, self.left, self.rivalry, self._thrill)

    def suspicion(self, bag: Seat) -> Suspicion:
        """Return what is thought of somebody's closed bag."""
        if bag not in self._suspicions:
            self._suspicions[bag] = suspicion(self.view, self._memory, bag, self.left)
        return self._suspicions[bag]
