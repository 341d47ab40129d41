"""The wire: any chunking, any bytes, every message, and its limits."""

from __future__ import annotations

import struct

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import protocol
from engine.protocol import (
    FrameReader,
    FromEngine,
    Message,
    ProtocolError,
    ToEngine,
    decode_from_engine,
    decode_to_engine,
    encode,
)

C = protocol
FINISH = C.Finish(C.FinishReason.LENGTH, 10, 20, 1.5, 0.2, 0.1, 4, 2, 13.0)
TO_ENGINE: list[Message] = [
    C.Hello(C.PROTOCOL_VERSION, 42),
    C.Load(1, "/models/ä", C.LoadSettings(dtype="float32", max_model_len=2048)),
    C.Load(
        2,
        "/models/b.gguf",
        C.LoadSettings(
            devices=(1, 0),
            disable_p2p=True,
            cpu_offload_bytes=1 << 33,
            chat_template="/t.jinja",
            tokenizer="/tok",
            load_timeout=90.0,
            foreground_first=False,
        ),
    ),
    C.CancelLoad(1),
    C.Unload(),
    C.Generate(
        "r1",
        (C.ChatMessage("user", "Grüße 👋\0"),),
        C.Sampling(temperature=0.5, stop=("END",), seed=7),
        chat_id="c",
        priority=-1,
        continue_final=True,
    ),
    C.Cancel("r1"),
    C.CountTokens("r2", (), "chat", False),
    C.Sleep(),
    C.Wake(),
    C.Measure("m1", (1, 2), 128, 16),
    C.Watch(0.25),
    C.Ping(2**62),
    C.Shutdown(),
]
FROM_ENGINE: list[Message] = [
    C.Hello(C.PROTOCOL_VERSION, 42, "vllm"),
    C.Status(C.EngineState.READY, "/m"),
    C.LoadProgress(1, C.LoadStage.WARMING_UP, 3.5, 0.5, "16 of 32"),
    C.Loaded(
        *(1, "/m", 2048, 128, 32, 16, "bfloat16", "CPU", 1 << 30, 12.5),
        stages=(C.StageTime(C.LoadStage.IMPORTING, 6.0),),
        default_sampling=C.Sampling(top_k=20),
        engine_version="vllm 0.32.0",
        quantization="awq",
        template_hash="0123456789abcdef",
        can_sleep=True,
        tensor_parallel_size=2,
        kv_tokens=4096,
        settings=C.LoadSettings(devices=(0, 1), tensor_parallel_size=2),
        kernel="Marlin",
        memory=(C.DeviceMemory(0, "RTX", 24 << 30, 1, 2, 3, 4, 5, 1),),
    ),
    C.LoadCancelled(1),
    C.Unloaded(),
    C.Failure(
        C.Scope.REQUEST,
        "Too long.",
        code="prompt_too_long",
        remedies=(C.Remedy("Shorten", C.RemedyAction.RELOAD_WITH, {"max_model_len": 512}),),
        request_id="r",
        prompt_tokens=5000,
        context=2048,
        keep_from=3,
        kept_tokens=2000,
    ),
    C.TokenBatch(
        (C.StreamUpdate("r", "text", 2, True, 10, "<think>", FINISH), C.StreamUpdate("s"))
    ),
    C.TokenCount("r", 5, 2048),
    C.Measured("m1", (C.Rate(1, 900.0, 25.5, 3.0),)),
    C.Failure(
        C.Scope.SLEEP,
        "No.",
        remedies=(
            C.Remedy("P2P off", C.RemedyAction.RELOAD_WITH, {"disable_p2p": True}),
            C.Remedy("GPU 1", C.RemedyAction.RELOAD_WITH, {"devices": (1,), "dtype": "auto"}),
        ),
    ),
    C.Telemetry(1, 2, 3, 4, 5.0, 6.0, 7, 8, 0.5, 9, 10, 0.1, 0.2, None, 0.04),
    C.KvReport(7, 16, 9, 2, 1, b"\1\0", (C.KvRequest("r", b"\1\0\0\0", 3, 4, 0, 13, 1, 2),)),
    C.Heartbeat(1),
    C.Pong(1),
]


def body_of(message: Message) -> bytes:
    return encode(message)[4:]


@pytest.mark.parametrize("message", TO_ENGINE, ids=lambda m: type(m).__name__)
def test_messages_to_the_engine_survive_the_way(message: Message) -> None:
    assert decode_to_engine(body_of(message)) == message


@pytest.mark.parametrize("message", FROM_ENGINE, ids=lambda m: type(m).__name__)
def test_messages_from_the_engine_survive_the_way(message: Message) -> None:
    assert decode_from_engine(body_of(message)) == message


def test_every_message_is_tested() -> None:
    assert {type(message) for message in TO_ENGINE} == set(ToEngine.__args__)
    assert {type(message) for message in FROM_ENGINE} == set(FromEngine.__args__)


def test_each_side_takes_only_what_is_meant_for_it() -> None:
    with pytest.raises(ProtocolError):
        decode_to_engine(body_of(C.Heartbeat(1)))
    with pytest.raises(ProtocolError):
        decode_from_engine(body_of(C.Shutdown()))


def test_a_field_that_is_not_known_is_refused() -> None:
    for name, value in (("more", 1), ("sequence", "one")):
        raw = msgspec.msgpack.encode({"type": "Ping", "sequence": 1, name: value})
        with pytest.raises(ProtocolError):
            decode_to_engine(raw)


@given(st.lists(st.sampled_from(FROM_ENGINE), max_size=12), st.data())
def test_frames_come_whole_whatever_the_chunks(
    messages: list[Message], data: st.DataObject
) -> None:
    stream = b"".join(encode(message) for message in messages)
    reader, got = FrameReader(), []
    while stream:
        size = data.draw(st.integers(1, max(1, len(stream))))
        got += reader.feed(stream[:size])
        stream = stream[size:]
    assert [decode_from_engine(body) for body in got] == messages
    assert reader.pending == 0


def test_frames_come_whole_byte_by_byte() -> None:
    reader, got = FrameReader(), []
    for byte in b"".join(encode(message) for message in FROM_ENGINE):
        got += reader.feed(bytes([byte]))
    assert [decode_from_engine(body) for body in got] == FROM_ENGINE


@given(st.lists(st.binary(min_size=1, max_size=64), max_size=8))
def test_noise_raises_only_protocol_errors(chunks: list[bytes]) -> None:
    reader = FrameReader(max_frame=1000)
    try:
        for chunk in chunks:
            for body in reader.feed(chunk):
                decode_from_engine(body)
    except ProtocolError:
        pass
    assert reader.pending <= sum(map(len, chunks))


@given(st.sampled_from(FROM_ENGINE + TO_ENGINE), st.data())
def test_a_damaged_message_raises_only_protocol_errors(
    message: Message, data: st.DataObject
) -> None:
    body = bytearray(body_of(message))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(body) - 1))
        body[place : place + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=3))
        if not body:
            break
    for decode in (decode_from_engine, decode_to_engine):
        try:
            decode(bytes(body))
        except ProtocolError:
            continue


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x91" * 100_000,  # nested lists
        b"\x82\xa4type\xaaTokenBatch\xa7updates\xdd\xff\xff\xff\xff",  # 4 G of items, it says
        b"\x82\xa4type\xaaTokenBatch\xa7updates" + b"\x91" * 100_000,
        b"\xdf\xff\xff\xff\xff",
        b"\x82\xa4type\xa4Pong\xa8sequence\xcf\xff\xff\xff\xff\xff\xff\xff\xff\0",
        b"\x82\xa4type\xa6Status\xa5state\xa2\xff\xfe",
    ],
    ids=["empty", "nested", "long list", "nested field", "long map", "trailing", "not utf-8"],
)
def test_hostile_bodies_are_refused(body: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode_from_engine(body)


@pytest.mark.parametrize("length", [0, C.MAX_FRAME_BYTES + 1, 2**32 - 1])
def test_a_length_that_is_not_allowed_is_refused_before_anything_is_kept(length: int) -> None:
    with pytest.raises(ProtocolError):
        FrameReader().feed(struct.pack(">I", length))


def test_the_largest_frame_passes_and_a_larger_one_is_not_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    message = C.Cancel("x" * 500)
    size = len(body_of(message))
    monkeypatch.setattr(protocol, "MAX_FRAME_BYTES", size)
    assert FrameReader(size).feed(encode(message)) == [body_of(message)]
    with pytest.raises(ProtocolError):
        encode(C.Cancel("x" * 501))
    with pytest.raises(ProtocolError):
        FrameReader(size - 1).feed(encode_unlimited(message))


def encode_unlimited(message: Message) -> bytes:
    body = msgspec.msgpack.encode(message)
    return struct.pack(">I", len(body)) + body


def test_a_book_of_a_megabyte_fits() -> None:
    request = C.Generate("r", (C.ChatMessage("user", "word " * 210_000),))
    (body,) = FrameReader().feed(encode(request))
    assert decode_to_engine(body) == request


@pytest.mark.parametrize(
    "message",
    [C.Load(1, "/models/\udcff"), C.Generate("r", (), C.Sampling(seed=2**70))],
    ids=["not Unicode", "over 64 bits"],
)
def test_what_cannot_be_encoded_is_not_sent(message: Message) -> None:
    with pytest.raises(ProtocolError):
        encode(message)
