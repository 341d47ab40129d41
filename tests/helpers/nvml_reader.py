"""The child of `nvml_stub.ReaderProcess`: a line in, a line out."""

from __future__ import annotations

import sys

import msgspec

from desktop.hardware import nvml
from desktop.hardware.host import HostReader


def main() -> None:
    now = 0.0
    host = HostReader()

    def fresh() -> nvml.NvmlReader:
        return nvml.NvmlReader(clock=lambda: now)

    reader = fresh()
    for line in sys.stdin:
        command, _, argument = line.strip().partition(" ")
        if command == "read":
            now = float(argument)
            print(msgspec.json.encode(reader.read(host)).decode(), flush=True)
            continue
        reader.close()
        if command == "wsl":
            nvml._is_wsl = lambda: True
            reader = fresh()
        print(flush=True)
    reader.close()


if __name__ == "__main__":
    main()
