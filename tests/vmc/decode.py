"""Decodes three VMC frames with python-osc. Prints its UDP port, then one line of JSON per frame."""

import json
import socket

from pythonosc.osc_packet import OscPacket

FRAMES = 3

listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
listener.bind(("127.0.0.1", 0))
listener.settimeout(240)
print(listener.getsockname()[1], flush=True)

# The first frame may be incomplete and is skipped.
frames, frame = [], None
while len(frames) < FRAMES:
    packet, _ = listener.recvfrom(65536)
    for timed in OscPacket(packet).messages:
        address, arguments = timed.message.address, list(timed.message.params)
        if address == "/VMC/Ext/T":
            if frame is not None:
                frames.append({**frame, "time": arguments[0]})
            frame = {"bones": {}, "blends": {}}
        elif frame is None:
            continue
        elif address == "/VMC/Ext/Root/Pos":
            frame["root"] = arguments
        elif address == "/VMC/Ext/Bone/Pos":
            frame["bones"][arguments[0]] = arguments[1:]
        elif address == "/VMC/Ext/Blend/Val":
            assert "applied" not in frame, "expression after /VMC/Ext/Blend/Apply"
            frame["blends"][arguments[0]] = arguments[1]
        elif address == "/VMC/Ext/Blend/Apply":
            frame["applied"] = True
        elif address == "/VMC/Ext/OK":
            frame["ok"] = arguments
        else:
            raise SystemExit(f"unknown address {address}")

for frame in frames:
    assert frame["applied"], "frame without /VMC/Ext/Blend/Apply"
    print(json.dumps(frame))
