"""A bare `LLMEngine` in a process of its own: the baseline of the engine benchmarks.

Reads one JSON command a line on stdin, answers with one JSON line on stdout. It runs in the
same environment and with the same settings as Inglenook's engine, and does nothing else.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from engine.environment import engine_environment
from engine.load_defaults import choose_settings, read_machine
from engine.protocol import LoadSettings
from engine.store.model_folder import read_model_folder

ROOT = Path(__file__).resolve().parents[2]


class BareEngine:
    """The parent's handle: starts the process and talks to it."""

    def __init__(self, model: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.bare_engine", str(model)],
            cwd=ROOT,
            env=engine_environment(dict(os.environ)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.pid = self._process.pid

    def ready(self) -> dict[str, float]:
        """Wait for the load; returns its times in seconds."""
        return self._read()

    def run(self, prompts: list[str], tokens: int) -> dict[str, Any]:
        """Answer all prompts at once with `tokens` tokens each."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"prompts": prompts, "tokens": tokens}) + "\n")
        self._process.stdin.flush()
        return self._read()

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("{"):
                answer: dict[str, Any] = json.loads(line)
                return answer
        raise RuntimeError("the bare engine died")


def load(model: Path, *, log_stats: bool = False) -> Any:
    """Build an `LLMEngine` with the settings that Inglenook would choose."""
    from vllm.engine.arg_utils import EngineArgs
    from vllm.v1.engine.llm_engine import LLMEngine

    settings = choose_settings(read_model_folder(model), read_machine("cpu"), LoadSettings())
    return LLMEngine.from_engine_args(
        EngineArgs(
            model=str(model),
            dtype=settings.dtype or "auto",
            max_model_len=settings.max_model_len,
            block_size=settings.block_size,
            kv_cache_memory_bytes=settings.kv_cache_bytes,
            max_num_seqs=settings.max_num_seqs,
            max_num_batched_tokens=settings.max_num_batched_tokens,
            enforce_eager=True,
            load_format="safetensors",
            enable_prefix_caching=True,
            disable_log_stats=not log_stats,
        )
    )


def answer(engine: Any, prompts: list[str], tokens: int) -> dict[str, Any]:
    """Render, add and step; first tokens are timed from the arrival of all prompts."""
    from vllm import SamplingParams
    from vllm.renderers import ChatParams
    from vllm.sampling_params import RequestOutputKind

    chat = ChatParams(chat_template_kwargs={"add_generation_prompt": True, "tokenize": False})
    began = time.perf_counter()
    first: dict[str, float] = {}
    for number, prompt in enumerate(prompts):
        _, (rendered,) = engine.renderer.render_chat([[{"role": "user", "content": prompt}]], chat)
        parameters = SamplingParams(
            max_tokens=tokens,
            temperature=0,
            ignore_eos=True,
            output_kind=RequestOutputKind.DELTA,
        )
        engine.add_request(str(number), rendered, parameters)
    produced = 0
    while engine.has_unfinished_requests():
        for output in engine.step():
            produced += len(output.outputs[0].token_ids)
            first.setdefault(output.request_id, time.perf_counter())
    return {
        "tokens": produced,
        "seconds": time.perf_counter() - began,
        "ttft": [at - began for at in first.values()],
    }


def main() -> None:
    """Load, say so, answer until stdin ends."""
    began = time.perf_counter()
    engine = load(Path(sys.argv[1]))
    loaded = time.perf_counter()
    answer(engine, ["Hello"], 2)
    print(json.dumps({"load": loaded - began, "ready": time.perf_counter() - began}), flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        print(json.dumps(answer(engine, command["prompts"], command["tokens"])), flush=True)


if __name__ == "__main__":
    main()
