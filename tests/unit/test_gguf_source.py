"""Which way a GGUF file is loaded, on doubles of both builds; nothing here needs a GPU.

What only a GPU can show stands in `engine.store.gguf_way`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import vllm_backend, vllm_loading
from engine.failures import explain
from engine.load_defaults import Machine, choose_settings
from engine.load_known import known_of
from engine.planner.machine import GIB, Gpu
from engine.protocol import (
    Failure,
    Load,
    LoadProgress,
    LoadSettings,
    LoadStage,
    RemedyAction,
    Scope,
)
from engine.store import gguf_source
from engine.store.convert import Listener, convert
from engine.store.gguf_cost import Meter
from engine.store.gguf_folders import DESCRIBED, find_conversion, gguf_of, ggufs_of
from engine.store.gguf_header import GgufHeader
from engine.store.gguf_source import Source, check_here, source_of
from engine.store.gguf_way import (
    PLUGIN_ARCHITECTURES,
    Reason,
    Way,
    choose_way,
    plugin_arguments,
)
from engine.store.model_folder import ModelFolderError, read_model_folder
from tests.helpers.tiny_gguf import STRING, entry, gguf_bytes, text

CONFIG = {
    "architectures": ["Qwen3ForCausalLM"],
    "model_type": "qwen3",
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "vocab_size": 1000,
    "max_position_embeddings": 512,
}
CONVERTER = gguf_source.converter
LISTENER = Listener(lambda *_: None, lambda _: None, lambda _: None)


def describe(_header: GgufHeader, target: Path, _meter: Meter) -> None:
    """Stands for the description."""
    (target / "config.json").write_text(json.dumps(CONFIG))
    (target / "tokenizer.json").write_text("{}")
    (target / "chat_template.jinja").write_text("{{ messages }}")


def convert_wholly(header: GgufHeader, target: Path, meter: Meter) -> None:
    """Stands for the conversion."""
    describe(header, target, meter)
    (target / "model.safetensors").write_bytes(b"weights")


@pytest.fixture
def qwen(tmp_path: Path) -> Path:
    """A file whose header says Qwen3."""
    file = tmp_path / "Qwen3 Q4.gguf"
    file.write_bytes(gguf_bytes([entry("general.architecture", STRING, text("qwen3"))]))
    return file


@pytest.fixture
def llama(tmp_path: Path) -> Path:
    file = tmp_path / "llama.gguf"
    file.write_bytes(gguf_bytes())
    return file


class Converter:
    """Plays the other process, or asks the real one; remembers what was asked of it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, file: Path, option: str) -> Iterator[dict[str, Any]]:
        self.asked.append(option)
        if option != "--describe":
            yield from CONVERTER(file, option)
            return
        for fraction in (0.1, 0.6):
            yield {"type": "progress", "fraction": fraction}
        folder = convert(file, LISTENER, described=True, expand=describe)
        yield {"type": "done", "folder": str(folder)}


def failure_of(file: Path, **words: Any) -> Failure:
    with pytest.raises(ModelFolderError) as caught:
        source_of(file, **words)
    return caught.value.failure


# --- the way ---


@pytest.mark.parametrize(
    ("architecture", "device", "plugin", "way", "reason"),
    [
        ("qwen3", "cuda", True, Way.PLUGIN, Reason.PLUGIN),
        ("qwen3", "cuda", False, Way.CONVERT, Reason.NO_PLUGIN),
        ("qwen3", "cpu", True, Way.CONVERT, Reason.PROCESSOR),
        ("qwen3", "cpu", False, Way.CONVERT, Reason.PROCESSOR),
        ("llama", "cuda", True, Way.CONVERT, Reason.ARCHITECTURE),  # in no test of the plugin's
        ("", "cuda", True, Way.CONVERT, Reason.ARCHITECTURE),
        ("x" * 1000, "cuda", True, Way.CONVERT, Reason.ARCHITECTURE),
    ],
)
def test_the_way_of_a_file(
    architecture: str, device: str, plugin: bool, way: Way, reason: Reason
) -> None:
    choice = choose_way(architecture, device=device, plugin=plugin)
    assert (choice.way, choice.reason) == (way, reason)


@pytest.mark.parametrize("architecture", sorted(PLUGIN_ARCHITECTURES))
def test_what_the_plugin_knows_can_be_described(architecture: str) -> None:
    """The config beside the file is made by transformers, which has to know it too."""
    from transformers.modeling_gguf_pytorch_utils import GGUF_SUPPORTED_ARCHITECTURES

    assert architecture in GGUF_SUPPORTED_ARCHITECTURES


def test_folders_and_files_that_are_not_there_are_left_as_they_are(tmp_path: Path) -> None:
    for model in (tmp_path, tmp_path / "none.gguf"):
        assert source_of(model, device="cpu", plugin=False) == Source(model)


@pytest.mark.parametrize(
    ("device", "plugin", "says"),
    [
        ("cpu", False, "the processor cannot compute"),
        ("cuda", False, "plugin is not installed"),
        ("cuda", True, "architecture llama"),
    ],
)
def test_what_has_to_be_converted_says_why_and_what_it_costs(
    llama: Path, device: str, plugin: bool, says: str
) -> None:
    failure = failure_of(llama, device=device, plugin=plugin)
    assert failure.code == "gguf"
    assert "llama.gguf has to be converted first" in failure.cause
    assert says in failure.cause
    assert "0.09 GiB of disk, 1.12 GiB of memory meanwhile and about 1 min." in failure.cause
    assert failure.remedies[0].action is RemedyAction.CONVERT
    assert failure.remedies[0].settings == {"file": str(llama)}


def test_the_terminal_says_the_cost_and_the_command(llama: Path) -> None:
    from desktop.terminal.wording import failure_text

    told = failure_text(failure_of(llama, device="cpu", plugin=False))
    assert "GiB of disk" in told
    assert f"./packaging/run convert {llama}" in told


def test_a_conversion_is_taken_on_every_device(qwen: Path) -> None:
    folder = convert(qwen, LISTENER, expand=convert_wholly)
    for device in ("cpu", "cuda"):
        assert source_of(qwen, device=device, plugin=True) == Source(folder)


def test_a_damaged_file_is_no_question(tmp_path: Path) -> None:
    file = tmp_path / "half.gguf"
    file.write_bytes(gguf_bytes()[:40])
    failure = failure_of(file, device="cuda", plugin=True)
    assert failure.code.startswith("gguf_")
    assert RemedyAction.CONVERT not in {remedy.action for remedy in failure.remedies}


def test_a_folder_with_nothing_but_a_file_stands_for_it(llama: Path, tmp_path: Path) -> None:
    (tmp_path / "mmproj-a.gguf").write_bytes(b"GGUF")
    assert gguf_of(tmp_path) == gguf_of(llama) == llama
    assert failure_of(tmp_path, device="cpu", plugin=False).remedies[0].settings["file"] == str(
        llama
    )
    with pytest.raises(ModelFolderError, match="converted first"):
        check_here(tmp_path)  # the tests run with the CPU build
    convert(llama, LISTENER, expand=convert_wholly)
    check_here(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"")
    assert gguf_of(tmp_path) is None
    assert gguf_of(tmp_path / "none") is None
    check_here(tmp_path)  # nothing of its own to say


def test_the_models_of_a_folder_are_told_apart(tmp_path: Path) -> None:
    for name in ("b-Q8.gguf", "a-Q4.GGUF", "mmproj-a.gguf", "c-00001-of-00002.gguf"):
        (tmp_path / name).write_bytes(b"GGUF")
    (tmp_path / "c-00002-of-00002.gguf").write_bytes(b"GGUF")
    names = [path.name for path in ggufs_of(tmp_path)]
    assert names == ["b-Q8.gguf", "c-00001-of-00002.gguf"]
    assert ggufs_of(tmp_path / "a-Q4.GGUF") == [tmp_path / "a-Q4.GGUF"]
    assert ggufs_of(tmp_path / "none") == []


# --- describing ---


def test_a_file_is_described_once(qwen: Path) -> None:
    told: list[float] = []
    say = Converter()
    source = source_of(qwen, device="cuda", plugin=True, describing=told.append, say=say)
    assert source == Source(find_conversion(qwen, store=DESCRIBED) or Path(), qwen)
    assert told == [0.0, 0.1, 0.6]
    assert source_of(qwen, device="cuda", plugin=True, describing=told.append, say=say) == source
    assert say.asked == ["--inspect", "--describe", "--inspect"]
    assert told == [0.0, 0.1, 0.6]


def test_what_the_converter_cannot_do_is_the_failure(qwen: Path) -> None:
    def say(file: Path, option: str) -> Iterator[dict[str, Any]]:
        if option == "--inspect":
            yield from CONVERTER(file, option)
        else:
            yield {"type": "error", "code": "tokenizer", "text": "No."}

    failure = failure_of(qwen, device="cuda", plugin=True, say=say)
    assert (failure.code, failure.cause) == ("gguf_tokenizer", "No.")


def test_a_converter_that_dies_or_does_not_start(qwen: Path) -> None:
    def dies(_file: Path, _option: str) -> Iterator[dict[str, Any]]:
        yield from ()

    def broken(_file: Path, _option: str) -> Iterator[dict[str, Any]]:
        yield {"type": "note"}
        raise OSError(12, "Cannot allocate memory")

    assert "without a word" in failure_of(qwen, device="cpu", plugin=False, say=dies).cause
    assert "allocate" in failure_of(qwen, device="cpu", plugin=False, say=broken).cause


# --- an engine of the CUDA build, as far as it goes without a GPU ---


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> Converter:
    """The engine takes itself for one of the CUDA build with the plugin."""
    say = Converter()
    monkeypatch.setattr(vllm_backend, "_computes_on_cpu", lambda: False)
    monkeypatch.setattr(vllm_backend, "has_plugin", lambda: True)
    monkeypatch.setattr(gguf_source, "converter", say)
    return say


class Events:
    """What the backend says."""

    def __init__(self) -> None:
        self.stages: list[LoadStage] = []
        self.failures: list[Failure] = []

    def load_progress(self, progress: LoadProgress) -> None:
        self.stages.append(progress.stage)

    def failed(self, failure: Failure) -> None:
        self.failures.append(failure)

    def load_planned(self, settings: LoadSettings) -> None:
        pass


class BuiltError(Exception):
    """Ends a load where vLLM would begin with it."""


def built_with(
    monkeypatch: pytest.MonkeyPatch, load: Load, error: str = "no more of it here"
) -> tuple[Events, dict[str, Any]]:
    """What a load says, and the fields of vLLM's own EngineArgs that it comes to."""
    from vllm.engine.arg_utils import EngineArgs

    made: dict[str, Any] = {}

    def build(facts: Any, asked: LoadSettings, *_: Any, **__: Any) -> None:
        gpu = Gpu(0, "NVIDIA GeForce RTX 3090", 24 * GIB, 0, 0, (8, 6), None)
        machine = Machine("cuda", 64 * GIB, gpus=(gpu,))
        settings = choose_settings(facts, machine, asked)
        made.update(vars(EngineArgs(**vllm_loading._arguments(facts, settings, on_cpu=False))))
        raise BuiltError(error)

    monkeypatch.setattr(vllm_backend, "build_engine", build)
    backend = vllm_backend.VllmBackend()
    events = Events()
    backend._events = events  # type: ignore[assignment]
    backend._load(load)
    return events, made


def test_pressing_load_describes_the_file_and_hands_it_to_the_plugin(
    qwen: Path, cuda: Converter, monkeypatch: pytest.MonkeyPatch
) -> None:
    events, made = built_with(monkeypatch, Load(3, str(qwen), LoadSettings()))
    described = str(find_conversion(qwen, store=DESCRIBED))
    assert cuda.asked == ["--inspect", "--describe"]
    assert LoadStage.DESCRIBING in events.stages
    assert (made["model"], made["tokenizer"], made["hf_config_path"]) == (
        str(qwen),
        described,
        described,
    )
    for name in ("load_format", "config_format", "quantization"):
        assert made[name] == "gguf"
    assert made["worker_cls"] == vllm_loading.GPU_WORKER
    assert made["trust_remote_code"] is False
    assert made["gpu_memory_utilization"] > 0.5


def test_a_tokenizer_that_was_chosen_is_kept(
    qwen: Path, cuda: Converter, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    settings = LoadSettings(tokenizer=str(tmp_path))
    _, made = built_with(monkeypatch, Load(3, str(qwen), settings))
    assert made["tokenizer"] == str(tmp_path)
    assert made["hf_config_path"] != str(tmp_path)


def test_other_models_are_loaded_as_before(
    qwen: Path, cuda: Converter, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.vllm_weight_loader import LOADER_NAME

    folder = convert(qwen, LISTENER, expand=convert_wholly)
    facts = read_model_folder_double(folder)
    arguments = vllm_loading._arguments(facts, LoadSettings(dtype="auto"), on_cpu=False)
    assert (arguments["model"], arguments["load_format"]) == (str(folder), LOADER_NAME)
    assert "quantization" not in arguments


def read_model_folder_double(folder: Path) -> Any:
    from engine.store.model_folder import ModelFacts

    return ModelFacts(folder, 1000, 2, 512, 2, 2, 16, "")


def test_the_facts_are_those_of_the_file(qwen: Path) -> None:
    described = convert(qwen, LISTENER, described=True, expand=describe)
    facts = read_model_folder(described, LoadSettings(), gguf=qwen)
    assert facts.weights_bytes == qwen.stat().st_size
    assert (facts.folder, facts.model, facts.quantization) == (described, qwen, "gguf")
    assert (facts.layers, facts.kv_heads, facts.head_dim, facts.context) == (2, 2, 16, 512)
    with pytest.raises(ModelFolderError) as caught:
        read_model_folder(described, LoadSettings(max_model_len=4096), gguf=qwen)
    assert "512" in caught.value.failure.cause


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ("RuntimeError: Failed to map GGUF parameters (3): ['x']", "gguf"),
        ("RuntimeError: Can't get gguf config for starcoder9.", "gguf"),
        ("RuntimeError: Unknown gguf model_type: olmo9", "gguf"),
        ("NotImplementedError: Unsupported GGUF quantization type: 39", "gguf_types"),
        ("ValueError: Unsupported Triton dequant quant type: 39", "gguf_types"),
        # What vLLM says where the plugin is there but could not register itself.
        (
            "OSError: It looks like the config file at '/m/x.gguf' is not a valid JSON file.",
            "gguf_plugin",
        ),
        ("ValueError: Unknown quantization method: gguf. Must be one of []", "gguf_plugin"),
        (
            "AttributeError: '_OpNamespace' '_C_gguf' object has no attribute 'ggml_dequantize'",
            "gguf_plugin",
        ),
    ],
)
def test_where_the_plugin_fails_the_file_can_be_converted(
    qwen: Path, cuda: Converter, monkeypatch: pytest.MonkeyPatch, error: str, code: str
) -> None:
    events, _ = built_with(monkeypatch, Load(3, str(qwen), LoadSettings()), error)
    (failure,) = events.failures
    assert (failure.code, failure.load_id, failure.scope) == (code, 3, Scope.LOAD)
    assert failure.remedies[0].action is RemedyAction.CONVERT
    assert failure.remedies[0].settings == {"file": str(qwen)}


def test_without_the_load_the_window_knows_the_file() -> None:
    (remedy, *_) = explain(Scope.LOAD, "Failed to map GGUF parameters (1): []").remedies
    assert (remedy.action, remedy.settings) == (RemedyAction.CONVERT, {})


def test_what_is_known_of_a_load_names_the_file(qwen: Path) -> None:
    described = convert(qwen, LISTENER, described=True, expand=describe)
    facts = read_model_folder(described, gguf=qwen)
    assert known_of(facts, LoadSettings(), on_cpu=True).gguf == str(qwen)
    assert known_of(read_model_folder_double(described), LoadSettings(), on_cpu=True).gguf == ""


def test_the_plugin_gets_config_and_tokenizer_from_beside(tmp_path: Path) -> None:
    arguments = plugin_arguments(tmp_path / "m.gguf", tmp_path / "m")
    assert arguments["model"].endswith("m.gguf")
    assert arguments["tokenizer"] == arguments["hf_config_path"] == str(tmp_path / "m")
