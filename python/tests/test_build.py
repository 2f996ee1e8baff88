"""The build backend: what is in the archives, and that their bytes do not change."""

import importlib.util
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from conftest import long, need

import nervure

BACKEND = Path(__file__).resolve().parents[1] / "build_backend.py"


@pytest.fixture
def backend(monkeypatch, tmp_path):
    spec = importlib.util.spec_from_file_location("build_backend", BACKEND)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("NERVURE_TARGET", "VERSION", "SOURCE_DATE_EPOCH"):
        monkeypatch.delenv(name, raising=False)
    program = tmp_path / "built"
    program.write_bytes(b"a program\n" * 1000)
    monkeypatch.setenv("NERVURE_PROGRAM", str(program))  # to build it takes a minute
    return module


@pytest.mark.parametrize(
    ("go", "python"),
    [
        ("0.1.0-dev", "0.1.0.dev0"),
        ("1.2.3", "1.2.3"),
        ("1.0.0-rc.2", "1.0.0rc2"),
        ("2.0.0-alpha", "2.0.0a0"),
        ("1.0.0+Ab-1", "1.0.0+ab.1"),
    ],
)
def test_versions_in_the_form_of_python(backend, go, python):
    assert backend.python_version(go) == python
    version = need("packaging.version")
    assert str(version.Version(python)) == python


def test_versions_that_are_none_are_refused(backend):
    with pytest.raises(SystemExit, match="want one such as"):
        backend.python_version("latest")


def test_a_wheel_for_each_platform(backend, monkeypatch, tmp_path):
    tags = need("packaging.utils")
    for target in backend.TAGS:
        monkeypatch.setenv("NERVURE_TARGET", target)
        name = backend.build_wheel(str(tmp_path / "dist"))
        tags.parse_wheel_filename(name)
        with zipfile.ZipFile(tmp_path / "dist" / name) as wheel:
            assert wheel.testzip() is None
            program = wheel.getinfo("nervure/_bin/nervure" + (".exe" if target.startswith("windows") else ""))
            assert program.external_attr >> 16 == 0o100755
            names = wheel.namelist()
            assert {"nervure/__init__.py", "nervure/py.typed", "nervure/_estimator.py", "nervure/frame.js"} <= set(
                names
            )
            assert not [n for n in names if "__pycache__" in n or "tests" in n]
            info = f"{backend.dist_name()}.dist-info"
            assert names[-1] == f"{info}/RECORD"
            assert sorted(line.split(",")[0] for line in wheel.read(names[-1]).decode().splitlines()) == sorted(names)
            assert "Root-Is-Purelib: false" in wheel.read(f"{info}/WHEEL").decode()
            assert "nervure = nervure._command:main" in wheel.read(f"{info}/entry_points.txt").decode()


def _header(target):
    """How a program for a platform begins, after the specifications of ELF, Mach-O and PE."""
    system, processor = target.split("/")
    if system == "linux":
        return b"\x7fELF\x02\x01\x01" + bytes(11) + {"amd64": b"\x3e\0", "arm64": b"\xb7\0"}[processor]
    if system == "darwin":
        return b"\xcf\xfa\xed\xfe" + {"amd64": b"\x07\0\0\x01", "arm64": b"\x0c\0\0\x01"}[processor]
    return (
        b"MZ"
        + bytes(58)
        + b"\x80\0\0\0"
        + bytes(64)
        + b"PE\0\0"
        + {"amd64": b"\x64\x86", "arm64": b"\x64\xaa"}[processor]
    )


def test_a_wheel_has_the_program_of_its_platform(backend, monkeypatch, tmp_path):
    program = Path(backend.os.environ["NERVURE_PROGRAM"])
    for target in backend.TAGS:
        program.write_bytes(_header(target) + bytes(1000))
        for wheel in backend.TAGS:
            monkeypatch.setenv("NERVURE_TARGET", wheel)
            if wheel == target:
                backend.build_wheel(str(tmp_path))
                continue
            with pytest.raises(SystemExit, match=f"^the program is for {target}, and the wheel for {wheel}: "):
                backend.build_wheel(str(tmp_path))
    assert backend.platform_of(Path(nervure.program()).read_bytes()) == backend.host()


@pytest.mark.skipif(sys.platform == "win32", reason="a script stands for Go")
def test_a_build_from_source_says_what_it_does(backend, monkeypatch, tmp_path, capfd):
    """A stand-in for Go prints packages, as go build -v does, and fails if it is told to."""
    stand_in = tmp_path / "bin" / "go"
    stand_in.parent.mkdir()
    stand_in.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = version ]; then echo go version go1.26.0 linux/amd64; exit; fi\n'
        "echo internal/abi >&2; echo example.org/some/package >&2\n"
        'if [ -n "$FAILS" ]; then echo "main.go:1:1: syntax error" >&2; exit 1; fi\n'
        'while [ "$1" != -o ]; do shift; done; echo built > "$2"\n'
    )
    stand_in.chmod(0o755)
    monkeypatch.delenv("NERVURE_PROGRAM")
    monkeypatch.setenv("NERVURE_TARGET", "linux/amd64")
    monkeypatch.setenv("CI", "true")  # nobody sits at the terminal
    monkeypatch.setenv("PATH", f"{stand_in.parent}{backend.os.pathsep}{backend.os.environ['PATH']}")
    monkeypatch.setattr(backend, "EVERY", 0)
    backend.build_wheel(str(tmp_path))
    said = capfd.readouterr().err.splitlines()
    assert said[0].startswith("nervure: compiling the program nervure for linux/amd64 with go1.26.0. ")
    assert said[1:3] == [
        "nervure: compiled 1 packages, now internal/abi",
        "nervure: compiled 2 packages, now example.org/some/package",
    ]
    assert said[3].startswith("nervure: compiled the program in ")
    monkeypatch.setenv("FAILS", "yes")
    with pytest.raises(SystemExit, match=r"^go build failed: main\.go:1:1: syntax error$"):
        backend.build_wheel(str(tmp_path))


@long
def test_the_same_source_gives_the_same_bytes(backend, monkeypatch, tmp_path):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    for build in (backend.build_wheel, backend.build_sdist):
        first, second = (tmp_path / place / build(str(tmp_path / place)) for place in ("one", "two"))
        assert first.read_bytes() == second.read_bytes()


def test_the_sdist_has_the_source_of_the_program(backend, monkeypatch, tmp_path):
    monkeypatch.setenv("VERSION", "9.8.7-rc.1")
    name = backend.build_sdist(str(tmp_path))
    assert name == "nervure-9.8.7rc1.tar.gz"
    with tarfile.open(tmp_path / name) as archive:
        names = {n.partition("/")[2] for n in archive.getnames()}
        archive.extractall(tmp_path, filter="data")
    assert {
        "PKG-INFO",
        "pyproject.toml",
        "build_backend.py",
        "LICENSE",
        "go/go.mod",
        "go/cmd/nervure/main.go",
        "go/report/assets/graph.js",
    } <= names
    assert not [
        n for n in names if n.endswith("_test.go") or "/testdata/" in n or n.startswith(("go/docs/", "go/python/"))
    ]
    monkeypatch.delenv("VERSION")
    again = subprocess.run(
        [sys.executable, "build_backend.py", "wheel", "--out", "dist"],
        cwd=tmp_path / "nervure-9.8.7rc1", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "nervure-9.8.7rc1-py3-none-" in again.stdout


@pytest.mark.parametrize(
    "target",
    ["linux/amd64", pytest.param("linux/arm64", marks=long), pytest.param("darwin/arm64", marks=long), "windows/amd64"],
)
def test_the_sdist_has_all_that_go_needs(backend, target):
    if shutil.which("go") is None:
        pytest.skip("needs Go")
    root, (system, processor) = backend.module_root(), target.split("/")
    form = "{{if not .Standard}}{{range .GoFiles}}{{$.Dir}}/{{.}}\n{{end}}{{range .SFiles}}{{$.Dir}}/{{.}}\n{{end}}{{range .EmbedFiles}}{{$.Dir}}/{{.}}\n{{end}}{{end}}"
    listed = backend.go("list", "-deps", "-f", form, "./cmd/nervure", GOOS=system, GOARCH=processor, CGO_ENABLED="0")
    needed = {str(Path(line).relative_to(root)) for line in listed.splitlines() if line.startswith(f"{root}/")}
    assert len(needed) > 300
    assert needed <= set(backend.go_sources())


def test_without_go_there_is_a_sentence(backend, monkeypatch, tmp_path):
    monkeypatch.delenv("NERVURE_PROGRAM")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match=r"built with Go .* install Go, or a wheel"):
        backend.build_wheel(str(tmp_path))


def test_other_platforms_are_refused(backend, monkeypatch, tmp_path):
    monkeypatch.setenv("NERVURE_TARGET", "plan9/386")
    with pytest.raises(SystemExit, match="no wheels for plan9/386"):
        backend.build_wheel(str(tmp_path))


def test_wheels_for_macos_need_the_one_that_go_needs(backend):
    assert {tag for target, tag in backend.TAGS.items() if target.startswith("darwin/")} == {
        "macosx_12_0_x86_64",
        "macosx_12_0_arm64",
    }


@pytest.mark.parametrize(
    ("machine", "platform", "tag"),
    [
        ("riscv64", "linux-riscv64", "linux_riscv64"),
        ("amd64", "freebsd-14.1-release-amd64", "freebsd_14_1_release_amd64"),
    ],
)
def test_other_machines_build_for_themselves(backend, monkeypatch, tmp_path, machine, platform, tag):
    """pip builds from source wherever Go runs."""
    system = platform.split("-")[0]
    monkeypatch.setattr(backend.sys, "platform", system)
    monkeypatch.setattr(backend.platform, "machine", lambda: machine)
    monkeypatch.setattr(backend.sysconfig, "get_platform", lambda: platform)
    monkeypatch.setattr(backend, "go", lambda *_: f"{system}\n{machine}")
    assert backend.target() == f"{system}/{machine}"
    name = backend.build_wheel(str(tmp_path))
    assert name == f"{backend.dist_name()}-py3-none-{tag}.whl"
    need("packaging.utils").parse_wheel_filename(name)
    with zipfile.ZipFile(tmp_path / name) as wheel:
        assert f"Tag: py3-none-{tag}\n" in wheel.read(f"{backend.dist_name()}.dist-info/WHEEL").decode()
    assert backend.prepare_metadata_for_build_wheel(str(tmp_path)) == f"{backend.dist_name()}.dist-info"
