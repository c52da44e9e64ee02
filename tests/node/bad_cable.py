"""A bad cable, for kernels that have none: frames are read from one end and written to the other, later or never.

Run inside the switch: ``python bad_cable.py ONE OTHER MILLISECONDS LOST_PERCENT``. ``python bad_cable.py DEVICE`` makes
a device send frames as they are on a wire, each with its checksum: what comes out of a packet socket goes into one
unchanged.
"""

import array
import fcntl
import select
import socket
import struct
import sys
import time
from collections import deque
from random import Random

_SIOCETHTOOL = 0x8946
_OFF = {"transmit checksums": 0x17, "TCP segmentation": 0x1F, "segmentation": 0x24, "receive merging": 0x2C}
_ALL_PROTOCOLS = socket.htons(3)
_OUTGOING = 4


def send_plain_frames(device: str) -> None:
    """Turns off what a device leaves to hardware that is not there."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for command in _OFF.values():
            value = array.array("B", struct.pack("II", command, 0))
            fcntl.ioctl(any_socket, _SIOCETHTOOL, struct.pack("16sP", device.encode(), value.buffer_info()[0]))


def carry(one: str, other: str, seconds: float, loss: float) -> None:
    """Carries frames both ways for ever."""
    rng = Random()
    ends = [socket.socket(socket.AF_PACKET, socket.SOCK_RAW, _ALL_PROTOCOLS) for _ in range(2)]
    for end, device in zip(ends, (one, other), strict=True):
        end.bind((device, 0))
        end.setblocking(False)
    other_end = {ends[0]: ends[1], ends[1]: ends[0]}
    waiting: deque[tuple[float, socket.socket, bytes]] = deque()
    while True:
        pause = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
        for end in select.select(ends, [], [], pause)[0]:
            frame, address = end.recvfrom(1 << 16)
            if address[2] != _OUTGOING and rng.random() >= loss:
                waiting.append((time.monotonic() + seconds, other_end[end], frame))
        while waiting and waiting[0][0] <= time.monotonic():
            _, end, frame = waiting.popleft()
            end.send(frame)


if __name__ == "__main__":
    match sys.argv[1:]:
        case [device]:
            send_plain_frames(device)
        case [one, other, milliseconds, percent]:
            carry(one, other, int(milliseconds) / 1000, int(percent) / 100)
        case _:
            sys.exit(__doc__)
