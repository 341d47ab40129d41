"""What is remembered of loads: kept whole, capped, and never a reason not to load."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop import json_file
from desktop.models.loading.load_choices import AUTOMATIC, Choices
from desktop.models.loading.load_memory import FILE_NAME, MAX_MODELS, LoadMemory
from desktop.models.loading.model_key import model_key
from desktop.models.loading.outlook import look_ahead, read_model
from engine.planner.learned import Learned
from engine.protocol import (
    DeviceMemory,
    Loaded,
    LoadSettings,
    LoadStage,
    StageTime,
)
from tests.helpers.load_machines import CPU, TINY, make_folder

GIB = 1024**3


def loaded(model: str = "/m/one", seconds: float = 10.0, **more: object) -> Loaded:
    values: dict[str, object] = {
        "load_id": 1,
        "model": model,
        "context": 8192,
        "kv_blocks": 512,
        "block_size": 32,
        "max_num_seqs": 64,
        "dtype": "float32",
        "device": "CPU",
        "kv_cache_bytes": GIB,
        "seconds": seconds,
        "stages": (
            StageTime(LoadStage.READING_WEIGHTS, seconds - 1),
            StageTime(LoadStage.WARMING_UP, 1.0),
        ),
        "kv_tokens": 16_384,
        "memory": (DeviceMemory(-1, "cpu", 16 * GIB, 5 * GIB, GIB, overhead=GIB // 2),),
        **more,
    }
    return Loaded(**values)  # type: ignore[arg-type]


def fresh(tmp_path: Path) -> LoadMemory:
    return LoadMemory(tmp_path / FILE_NAME)


def test_nothing_is_known_at_first(tmp_path: Path) -> None:
    memory = fresh(tmp_path)
    assert memory.past("key") is None
    assert memory.recent_uses() == ()
    assert memory.choices() == {}
    assert memory.warning == ""
    assert not (tmp_path / FILE_NAME).exists()


def test_choices_times_and_the_record_are_there_after_a_restart(tmp_path: Path) -> None:
    memory = fresh(tmp_path)
    memory.choose("key", "/m/one", Choices(context=4096, devices=(1,)))
    for seconds in (10.0, 14.0, 12.0):
        memory.note("key", loaded(seconds=seconds), None, None)
    again = fresh(tmp_path).past("key")
    assert again is not None
    assert again.model == "/m/one"
    assert again.choices == Choices(context=4096, devices=(1,))
    assert again.times.usual() == {"reading_weights": 11.0, "warming_up": 1.0}
    assert again.record is not None
    assert again.record.reported.kv_tokens == 16_384
    assert again.record.planned is None
    assert again.record.usual == {"reading_weights": 11.0, "warming_up": 1.0}


def test_the_model_loaded_last_stands_first(tmp_path: Path) -> None:
    memory = fresh(tmp_path)
    for name in ("a", "b", "c", "a"):
        memory.note(name, loaded(f"/m/{name}"), None, None)
    assert [past.model for past in memory.recent_uses()] == ["/m/a", "/m/c", "/m/b"]
    assert [past.model for past in fresh(tmp_path).recent_uses()] == ["/m/a", "/m/c", "/m/b"]


def test_another_model_in_the_same_folder_is_another_model(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "m", TINY)
    first = model_key(str(folder))
    assert first == model_key(str(folder))
    (folder / "config.json").write_text(json.dumps({**TINY, "num_hidden_layers": 2}))
    assert model_key(str(folder)) != first
    memory = fresh(tmp_path)
    memory.choose(first, str(folder), Choices(tp=2))
    memory.choose(model_key(str(folder)), str(folder), AUTOMATIC)
    latest = memory.latest_of(str(folder))
    assert latest is not None
    assert latest.choices == AUTOMATIC
    assert len(memory.recent_uses()) == 1


@pytest.mark.parametrize("model", ["/nowhere", "", "/nul\0l", "/m/\udcff", "/x.gguf"])
def test_every_path_has_a_key(model: str) -> None:
    assert len(model_key(model)) == 32


def test_a_path_that_is_no_unicode_is_remembered(tmp_path: Path) -> None:
    memory = fresh(tmp_path)
    memory.choose("key", "/m/\udcff", Choices(tp=2))
    assert memory.warning == ""
    past = fresh(tmp_path).past("key")
    assert past is not None
    assert past.model == "/m/\udcff"


def test_the_oldest_go_when_there_are_too_many(tmp_path: Path) -> None:
    memory = fresh(tmp_path)
    for number in range(MAX_MODELS + 3):
        memory.choose(str(number), f"/m/{number}", AUTOMATIC)
    assert memory.past("2") is None
    assert memory.past("3") is not None
    assert len(fresh(tmp_path).choices()) == MAX_MODELS


def test_the_file_is_never_too_large_to_be_read_again(tmp_path: Path) -> None:
    memory = fresh(tmp_path)
    for number in range(MAX_MODELS):
        memory.choose(str(number), f"/{number}/" + "ä" * 5000, Choices(chat_template="ö" * 4000))
    assert (tmp_path / FILE_NAME).stat().st_size < json_file.MAX_BYTES
    again = fresh(tmp_path)
    assert again.past(str(MAX_MODELS - 1)) is not None
    assert again.warning == ""


def test_a_broken_file_is_set_aside_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("{ not json")
    memory = fresh(tmp_path)
    assert memory.past("key") is None
    assert "damaged" in memory.warning
    memory.choose("key", "/m", Choices(tp=2))
    assert fresh(tmp_path).past("key") is not None


def test_a_part_that_makes_no_sense_costs_only_itself(tmp_path: Path) -> None:
    memory = fresh(tmp_path)
    memory.choose("key", "/m/one", Choices(tp=2))
    memory.note("key", loaded(), None, None)
    path = tmp_path / FILE_NAME
    content = json.loads(path.read_text())
    content["models"]["key"]["choices"] = {"tp": "two"}
    content["models"]["other"] = 7
    content["models"]["third"] = {"model": "/m/three", "choices": {"utilisation": 44}}
    content["models"]["fourth"] = {"model": "/m/four", "record": {"when": -1}, "times": []}
    content["learned"] = {"measured": "?"}
    path.write_text(json.dumps(content))
    again = fresh(tmp_path)
    past = again.past("key")
    assert past is not None
    assert past.choices == AUTOMATIC
    assert past.times.usual()
    assert again.past("other") is None
    assert again.choices() == {"key": AUTOMATIC, "third": AUTOMATIC, "fourth": AUTOMATIC}
    assert again.learned() == Learned()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=12,
)
NAMES = st.sampled_from(["model", "choices", "times", "record", "ways", "tp", "stages", "when"])


@given(
    st.dictionaries(
        st.sampled_from(["models", "learned", "version"]),
        st.dictionaries(
            st.text(max_size=3),
            st.dictionaries(NAMES, JSON | st.just("/m"), max_size=4),
            max_size=3,
        )
        | JSON,
    )
)
def test_no_file_does_harm(tmp_path: Path, content: dict[str, object]) -> None:
    (tmp_path / FILE_NAME).write_text(json.dumps(content))
    memory = fresh(tmp_path)
    memory.recent_uses()
    memory.learned()
    for past in memory.recent_uses():
        past.times.usual()
    memory.note("key", loaded(), None, None)
    assert fresh(tmp_path).past("key") is not None


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    memory = LoadMemory(blocker / FILE_NAME)
    memory.choose("key", "/m", AUTOMATIC)
    assert "could not be saved" in memory.warning


def test_what_a_load_measured_makes_the_next_plan_better(tmp_path: Path) -> None:
    model = str(make_folder(tmp_path / "m", TINY))
    memory = fresh(tmp_path)
    reading = read_model(model)
    before = look_ahead(reading, CPU, AUTOMATIC, memory.learned())
    took = 3 * GIB
    memory.note(
        reading.key,
        loaded(model, memory=(DeviceMemory(-1, "cpu", 16 * GIB, GIB, GIB, overhead=took),)),
        before.plan,
        reading.shape,
    )
    after = look_ahead(reading, CPU, AUTOMATIC, fresh(tmp_path).learned())
    assert before.plan.budget[0].overhead != after.plan.budget[0].overhead
    assert after.plan.budget[0].overhead >= took
    past = memory.past(reading.key)
    assert past is not None
    assert past.record is not None
    assert past.record.planned is not None
    assert past.record.planned.kv_tokens == before.plan.kv_tokens


def test_a_template_that_the_model_needed_is_needed_the_next_time(tmp_path: Path) -> None:
    memory = fresh(tmp_path)
    memory.choose("key", "/m/one", Choices(tp=1))
    memory.note("key", loaded(settings=LoadSettings(chat_template="/t.jinja")), None, None)
    past = memory.past("key")
    assert past is not None
    assert past.choices == Choices(tp=1, chat_template="/t.jinja")


def test_the_file_is_this_users_alone(tmp_path: Path) -> None:
    memory = fresh(tmp_path)
    memory.choose("key", "/m", AUTOMATIC)
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o600
    assert msgspec.json.decode((tmp_path / FILE_NAME).read_bytes())["version"] == 1
