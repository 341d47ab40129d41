"""The engine process: `python -m engine --socket FD --parent PID --backend vllm`."""

from __future__ import annotations

import argparse
import logging
import os
import sys

from engine import lifetime
from engine.backend import Backend
from engine.environment import MARK, engine_environment
from engine.server import serve


def _backend(name: str, script: str) -> Backend:
    if name == "scripted":
        from engine.script import Script
        from engine.scripted_backend import ScriptedBackend

        return ScriptedBackend(Script.parse(script))
    from engine.vllm_backend import VllmBackend

    return VllmBackend()


def main() -> int:
    """Adopt the socket, fix the environment, serve."""
    parser = argparse.ArgumentParser(prog="python -m engine", description=__doc__)
    parser.add_argument("--socket", type=int, required=True, metavar="FD")
    parser.add_argument("--parent", type=int, default=0, metavar="PID")
    parser.add_argument("--backend", choices=("vllm", "scripted"), default="vllm")
    parser.add_argument("--script", default="", help="for the scripted backend")
    options = parser.parse_args()

    lifetime.detach(options.parent)
    if options.backend == "vllm" and MARK not in os.environ:
        # OpenMP and the dynamic loader read their variables before Python runs, so the
        # process replaces itself once; its pid, its socket and its ties stay.
        environment = engine_environment(dict(os.environ))
        os.set_inheritable(options.socket, True)
        os.execve(sys.executable, [sys.executable, "-m", "engine", *sys.argv[1:]], environment)

    lifetime.guard_group()
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.INFO,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    peer = lifetime.adopt_socket(options.socket)
    code = serve(peer, lambda: _backend(options.backend, options.script))
    lifetime.end_process(code)


if __name__ == "__main__":  # vLLM's workers import this module again when they are spawned
    sys.exit(main())
