"""The lobby: what can be joined and watched, and the table at which the player sits until its game begins."""

from dataclasses import dataclass, field, replace

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.frame import draw_frame
from p2p_sheriff.fronts.tui.keyboard import Keys, readings, unknown_key
from p2p_sheriff.fronts.tui.listing import Listing
from p2p_sheriff.fronts.tui.lobbydialogues import Answer, Dialogue
from p2p_sheriff.fronts.tui.screen import Pressed, Screen
from p2p_sheriff.fronts.tui.seating import Seating
from p2p_sheriff.seat.hall import Hall, news
from p2p_sheriff.seat.picture import Notice
from p2p_sheriff.seat.words import Words

_MOST_NEWS = 100


@dataclass(frozen=True, slots=True)
class LobbyScreen(Screen):
    """The lobby as one player sees it."""

    hall: Hall
    words: Words
    listing: Listing = field(default_factory=Listing)
    seating: Seating = field(default_factory=Seating)
    dialogue: Dialogue | None = None
    notice: Notice | None = None
    news: tuple[str, ...] = ()
    """What was heard lately, the latest last."""

    # -- what happens

    def seeing(self, hall: Hall) -> "LobbyScreen":
        """Returns the lobby after something has changed on the network."""
        heard = news(self.words, self.hall, hall)
        moved = (self.hall.table and self.hall.table.id) != (hall.table and hall.table.id)
        lobby = replace(self, hall=hall, news=() if moved else self.news)
        if moved:
            lobby = replace(lobby, dialogue=None, seating=replace(self.seating, place=0))
        return lobby.hearing(*heard)

    def hearing(self, *sentences: str) -> "LobbyScreen":
        """Returns the lobby with news."""
        return replace(self, news=(*self.news, *sentences)[-_MOST_NEWS:])

    def saying(self, sentence: str, *, refused: bool = False) -> "LobbyScreen":
        """Returns the lobby with a sentence for the player, until the next key."""
        return replace(self, notice=Notice(sentence, refused))

    # -- the screen

    @property
    def _pane(self) -> Listing | Seating:
        return self.listing if self.hall.table is None else self.seating

    def _keys(self) -> Keys:
        return self.dialogue.keys() if self.dialogue else self._pane.keys(self.hall)

    def press(self, key: str) -> Pressed:
        """Returns the lobby after a key: what lies over it takes it first."""
        quiet = replace(self, notice=None)
        for one in readings(key):
            if (pressed := quiet._press(one)) is not None:
                return pressed
        return replace(quiet, notice=unknown_key(self.words, key, self._keys())), ()

    def _press(self, key: str) -> Pressed | None:
        if self.dialogue is not None:
            answer = self.dialogue.press(self.words, "escape" if key == "c-c" else key)
            return None if answer is None else self._answered(answer)
        match self._pane.press(self.words, self.hall, key):
            case None:
                return None
            case (Listing() as listing, answer):
                return replace(self, listing=listing)._answered(answer)
            case (Seating() as seating, answer):
                return replace(self, seating=seating)._answered(answer)

    def _answered(self, answer: Answer) -> Pressed:
        lobby = replace(self, dialogue=answer.dialogue)
        return (lobby.saying(answer.refusal, refused=True) if answer.refusal else lobby), answer.intents

    def draw(self, canvas: Canvas) -> None:
        """Draws everything."""
        pane = self._pane
        title, right = pane.title(self.words, self.hall)
        asked = self.dialogue.prompt(self.words) if self.dialogue else pane.prompt(self.words, self.hall)
        notice = self.notice
        if notice is None and self.news and pane is self.listing:
            notice = Notice(self.news[-1])
        body = draw_frame(canvas, self.words, title, right, notice, asked, self._keys(), pane.keys(self.hall))
        pane.draw(self.words, self.hall, self.news, body)
        if self.dialogue is not None:
            body.forget_clicks()
            self.dialogue.draw(self.words, body)
