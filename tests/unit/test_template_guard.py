from __future__ import annotations

import resource
import threading
import time
import traceback

import jinja2
import pytest
from jinja2.sandbox import ImmutableSandboxedEnvironment

from engine.failures import explain
from engine.protocol import Scope
from engine.template_guard import TemplateTimeout, Watcher, limit_templates


@pytest.fixture
def environment() -> jinja2.Environment:
    limit_templates()
    limit_templates()  # twice changes nothing
    return ImmutableSandboxedEnvironment()


@pytest.mark.parametrize(
    "source",
    ["{{ 'a' * 10**10 }}", "{{ 10**9 * 'ab' }}", "{{ [0] * 99999999 }}", "{{ 9 ** (9 ** 9) }}"],
)
def test_bombs_are_refused(environment: jinja2.Environment, source: str) -> None:
    with pytest.raises(jinja2.exceptions.SecurityError):
        environment.from_string(source).render()


@pytest.mark.parametrize(
    "source",
    [
        "{% set n = namespace(x=3) %}{% for i in range(40) %}{% set n.x = n.x * n.x %}{% endfor %}",
        "{{ ('f' * 99999)|int(0, 16) % 7 }}",
        "{{ ('f' * 99999)|int(0, 16) // 7 }}",
        "{{ 1|round(99999999, 'ceil') }}",
    ],
)
def test_arithmetic_that_would_not_end_is_refused(
    environment: jinja2.Environment, source: str
) -> None:
    with pytest.raises(jinja2.exceptions.SecurityError):
        environment.from_string(source).render()


@pytest.mark.parametrize(
    "source",
    [
        "{% set x = 'a' * 10000000 %}{% for i in range(900) %}{{ x }}{% endfor %}",
    ],
)
def test_one_step_cannot_take_the_memory(environment: jinja2.Environment, source: str) -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with pytest.raises(TemplateTimeout) as raised:
        environment.from_string(source).render(n=1)
    text = "".join(traceback.format_exception(raised.value))
    assert explain(Scope.REQUEST, text).code == "template_slow"
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


BIG = "{% set x = 'a' * 9000000 %}"


@pytest.mark.parametrize(
    "source",
    [
        "{{ '%900000000d' % 1 }}",
        "{{ '%.900000000f' % 1.0 }}",
        "{{ '%*d' % (900000000, 1) }}",
        "{{ ('%9000000d' * 9) % (1, 1, 1, 1, 1, 1, 1, 1, 1) }}",
        "{{ '%900000000d'|format(n) }}",
        "{{ '{:>900000000}'.format(n) }}",
        "{{ '{:>{w}}'.format(n, w=900000000) }}",
        "{{ '{a:>900000000}'.format_map({'a': 1}) }}",
        "{{ 'a'|center(900000000) }}",
        "{{ 'a\nb'|indent(900000000) }}",
        "{{ 'a'.zfill(n * 900000000) }}",
        "{{ 'a'.center(900000000) }}{{ 'a'.ljust(900000000) }}",
        "{{ 'a'.rjust(900000000) }}",
        "{{ '\t'.expandtabs(900000000) }}",
        "{{ (5).to_bytes(900000000, 'big') }}",
        BIG + "{{ ([x] * 90)|join }}",
        BIG + "{{ range(90)|map('string')|join(x) }}",
        BIG + "{{ ''.join([x] * 90) }}{{ x.join(['', '', '']) }}",
        BIG + "{{ x|replace('a', 'bcd') }}",
        BIG + "{{ x.replace('a', 'bcd') }}",
        BIG + "{{ x.translate({97: 'bcd'}) }}",
        "{{ ([[0] * 1000] * 9999)|sum(start=[]) }}",
        "{{ [1]|batch(900000000, 0)|list }}",
    ],
)
def test_one_step_cannot_make_much_out_of_little(
    environment: jinja2.Environment, source: str
) -> None:
    with pytest.raises(jinja2.exceptions.SecurityError) as raised:
        environment.from_string(source).render(n=1)
    text = "".join(traceback.format_exception(raised.value))
    assert explain(Scope.REQUEST, text).code == "template"


def test_the_memory_limit_holds_until_the_last_rendering_ends(
    environment: jinja2.Environment,
) -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA)
    inside, go_on = threading.Event(), threading.Event()

    def wait() -> str:
        inside.set()
        assert go_on.wait(20)
        return ""

    slow = environment.from_string("{{ wait() }}")
    thread = threading.Thread(target=slow.render, kwargs={"wait": wait})
    thread.start()
    assert inside.wait(20)
    assert environment.from_string("{{ 1 }}").render() == "1"
    assert resource.getrlimit(resource.RLIMIT_DATA) != before
    go_on.set()
    thread.join()
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{{ '-' * 20 }}", "-" * 20),
        ("{{ 6 * 7 }}", "42"),
        ("{{ 2 ** 10 }}", "1024"),
        ("{{ 7 // 2 }} {{ 7 % 4 }} {{ 1 / 2 }}", "3 3 0.5"),
        ("{{ '%s: %03d' % ('a', 7) }}", "a: 007"),
        ("{{ 1.256|round(2) }} {{ 1.2|round(method='ceil') }}", "1.26 2.0"),
        ("{{ 'a'|center(3) }}{{ 'a\nb'|indent(2) }}", " a a\n  b"),
        ("{{ ['a', 1]|join('-') }} {{ ', '.join(['a', 'b']) }}", "a-1 a, b"),
        ("{{ [{'k': 'a'}, {'k': 'b'}]|join('+', attribute='k') }}", "a+b"),
        ("{{ 'aXb'|replace('X', '--') }} {{ 'aXb'.replace('X', '') }}", "a--b ab"),
        ("{{ [1, 2]|sum }} {{ [1.5, 2]|sum(start=1) }}", "3 4.5"),
        ("{{ '{:>4}|{x}'.format(7, x=8) }} {{ '%s%%'|format(5) }}", "   7|8 5%"),
        ("{{ [1, 2, 3]|batch(2, 0)|list }}", "[[1, 2], [3, 0]]"),
        (
            "{{ 'ab'.translate({97: 'x'}) }}{{ 'a'.zfill(3) }}{{ 'a b'.split(' ') }}",
            "xb00a['a', 'b']",
        ),
    ],
)
def test_honest_arithmetic_works(environment: jinja2.Environment, source: str, text: str) -> None:
    assert environment.from_string(source).render() == text


@pytest.mark.parametrize(
    "source",
    ["{{ ''.__class__.__mro__[1].__subclasses__() }}", "{{ cycler.__init__.__globals__ }}"],
)
def test_walks_to_the_interpreter_stay_blocked(
    environment: jinja2.Environment, source: str
) -> None:
    with pytest.raises(jinja2.exceptions.SecurityError):
        environment.from_string(source).render()


def test_an_endless_template_is_stopped(environment: jinja2.Environment) -> None:
    inner = "{% for b in range(99999) %}{% endfor %}"
    template = environment.from_string("{% for a in range(99999) %}" + inner + "{% endfor %}")
    began = time.monotonic()
    with pytest.raises(TemplateTimeout), Watcher(seconds=0.2):
        template.render()
    assert time.monotonic() - began < 30


def test_a_template_that_doubles_a_string_is_stopped_by_its_memory(
    environment: jinja2.Environment,
) -> None:
    source = (
        "{% set n = namespace(x='a' * 1000000) %}"
        "{% for i in range(99) %}{% set n.x = n.x ~ n.x %}"
        "{% for j in range(20000) %}{% endfor %}{% endfor %}"
    )
    with pytest.raises(TemplateTimeout), Watcher(seconds=60, growth=64 * 1024**2):
        environment.from_string(source).render()


def test_quick_renderings_are_left_alone_and_so_is_what_follows() -> None:
    watcher = Watcher(seconds=0.05)
    stopped = threading.Event()
    for _ in range(200):
        with watcher:
            pass
    stopped.wait(0.3)  # longer than the limit, outside of any block
