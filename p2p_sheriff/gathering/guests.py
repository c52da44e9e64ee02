"""For whom a table is: for anybody, or, at a rematch, for the players of the last game before all others."""

from dataclasses import dataclass

from p2p_sheriff.gathering.tables import TableInfo
from protocol.identity import PublicIdentity


@dataclass(frozen=True, slots=True)
class Guests:
    """Who is invited, and whether others may come too: never to a seat that somebody invited may still want."""

    invited: frozenset[PublicIdentity] = frozenset()
    others_too: bool = True

    def is_for(self, identity: PublicIdentity) -> bool:
        """Whether somebody may sit down, if there is room."""
        return self.others_too or identity in self.invited

    def has_room(self, info: TableInfo, identity: PublicIdentity | None = None) -> bool:
        """Whether somebody finds a seat; without a name, somebody for whom none is kept."""
        expected = self.invited - {*info.declined, *(member.identity for member in info.members)}
        return info.free_seats > (0 if identity in expected else len(expected))
