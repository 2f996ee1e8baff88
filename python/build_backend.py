"""Builds the package: wheels that carry the Go program, and an sdist that carries its source.

This is the build backend of pyproject.toml (PEP 517 and 660). It needs Go and the standard
library, nothing else. By itself it builds wheels for other machines:

    python3 build_backend.py wheel --target linux/arm64 --out dist
    python3 build_backend.py sdist --out dist

The environment says what differs from the default: NERVURE_TARGET (os/arch as Go names them,
default this machine), NERVURE_PROGRAM (a program that is built already), NERVURE_NOTICES (files
with the licences of what it contains, as in a PATH), VERSION (default that of the Go module) and
SOURCE_DATE_EPOCH (the time of the files in archives). The same source and Go give the same bytes.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import io
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "src" / "nervure"

# The platforms that wheels are published for, with their tags. The program is static: it runs with
# either of Linux's C libraries. Go 1.26 needs macOS 12.
TAGS = {
    "linux/amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux/arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin/amd64": "macosx_12_0_x86_64",
    "darwin/arm64": "macosx_12_0_arm64",
    "windows/amd64": "win_amd64",
    "windows/arm64": "win_arm64",
}


class BuildError(SystemExit):
    """Why there is no package, as a sentence."""


# ---- the Go module


def module_root() -> Path:
    """Where the Go module is: beside this file in an sdist, above it in a checkout."""
    for root in (HERE / "go", HERE.parent):
        if (root / "go.mod").is_file():
            return root
    raise BuildError(
        f"the Go source of nervure is neither in {HERE / 'go'} nor in {HERE.parent}: build from a checkout or an sdist"
    )


def go_version() -> str:
    """The version as Go writes it, such as 0.1.0-dev."""
    given = os.environ.get("VERSION", "").removeprefix("v")
    if given:
        return given
    source = (module_root() / "internal" / "build" / "build.go").read_text(encoding="utf-8")
    found = re.search(r'^const sourceVersion = "(.+)"$', source, re.MULTILINE)
    if found is None:
        raise BuildError("internal/build/build.go has no sourceVersion")
    return found[1]


def python_version(version: str) -> str:
    """The version as PEP 440 writes it: 0.1.0-dev is 0.1.0.dev0, 1.0.0-rc.2 is 1.0.0rc2."""
    found = re.fullmatch(r"(\d+(?:\.\d+)*)(?:-(dev|alpha|beta|rc)\.?(\d*))?(?:\+([0-9A-Za-z.-]+))?", version)
    if found is None:
        raise BuildError(f"version {version!r}: want one such as 1.2.3, 1.2.3-rc.1 or 1.2.3-dev")
    release, kind, number, local = found.groups()
    mark = {None: "", "dev": ".dev", "alpha": "a", "beta": "b", "rc": "rc"}[kind]
    return (
        release + mark + (number or "0" if kind else "") + (f"+{re.sub('[-_]', '.', local).lower()}" if local else "")
    )


def target() -> str:
    """The platform to build for, as Go names it."""
    name = os.environ.get("NERVURE_TARGET")
    if name and name not in TAGS:
        raise BuildError(f"there are no wheels for {name}: NERVURE_TARGET is one of {', '.join(TAGS)}")
    return name or host()


def host() -> str:
    """This machine, as Go names it, if wheels are published for it or Go is there to tell."""
    system = {"win32": "windows"}.get(sys.platform, sys.platform)
    processor = platform.machine().lower()
    name = f"{system}/{ {'x86_64': 'amd64', 'aarch64': 'arm64'}.get(processor, processor) }"
    # A Python of 32 bits runs on processors of 64, too, and takes wheels of its own kind only.
    if name in TAGS and sys.maxsize > 2**32:
        return name
    return go("env", "GOHOSTOS", "GOHOSTARCH").replace("\n", "/")


def tag_of(target_name: str) -> str:
    """The tag of a platform. One that no wheels are published for has that of the Python that builds."""
    given = os.environ.get("NERVURE_TARGET")
    if target_name in TAGS and (given or sys.maxsize > 2**32):
        return TAGS[target_name]
    return re.sub(r"[^0-9a-zA-Z_]", "_", sysconfig.get_platform())


def find_go() -> str:
    """The program go."""
    program = shutil.which("go")
    if program is None:
        raise BuildError(
            "nervure is built with Go 1.26 or later, and there is no go on the path: "
            "install Go, or a wheel for this platform, which needs none"
        )
    return program


def go(*args: str, **env: str) -> str:
    """Run Go in the module and return what it prints."""
    run = subprocess.run(
        [find_go(), *args],
        cwd=module_root(),
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        raise BuildError(f"go {args[0]} failed: {run.stderr.strip()}")
    return run.stdout.strip()


def build_program(target_name: str, path: Path) -> None:
    """Build the static program for a platform, or take the one that is given."""
    given = os.environ.get("NERVURE_PROGRAM")
    if given:
        if not Path(given).is_file():
            raise BuildError(f"NERVURE_PROGRAM names {given}, and there is no file there")
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(given, path)
        return
    system, processor = target_name.split("/")
    env = {"CGO_ENABLED": "0", "GOOS": system, "GOARCH": processor, "GOFLAGS": ""}
    version = re.sub(r"^go version (\S+).*", r"\1", go("version"))
    tell(
        f"compiling the program nervure for {target_name} with {version}. "
        "The first time this takes some minutes, and Go fetches what it needs; a wheel needs neither"
    )
    begun = time.monotonic()
    build = ["build", "-v", "-trimpath", "-ldflags=-s -w", "-o", str(path)]
    try:
        compile_go(*build, "./cmd/nervure", **env)
    except BuildError as fault:
        if "buildvcs" not in str(fault):  # Git refuses to tell the commit, of a checkout of someone else's for one
            raise
        compile_go(*build, "-buildvcs=false", "./cmd/nervure", **env)
    tell(f"compiled the program in {time.monotonic() - begun:.0f} s")


EVERY = 15.0  # seconds between two lines about what is being compiled


def compile_go(*args: str, **env: str) -> None:
    """Have Go build, and tell how far it is."""
    with subprocess.Popen(
        [find_go(), *args],
        cwd=module_root(),
        env={**os.environ, **env},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as build:
        assert build.stderr is not None
        said: list[str] = []
        told, packages = time.monotonic(), 0
        for line in build.stderr:
            is_package = re.fullmatch(r"[\w.~/-]+\n", line) is not None  # -v prints one to a line
            packages += is_package
            if not is_package:
                said.append(line)
            if time.monotonic() - told >= EVERY:
                told = time.monotonic()
                tell(f"compiled {packages} packages, now {line.strip()}" if is_package else line.strip())
    if build.returncode:
        raise BuildError(f"go {args[0]} failed: {''.join(said).strip()}")


def tell(sentence: str) -> None:
    """Say what is being done.

    pip keeps what a build prints to itself, unless it is asked with -v or the build fails. People at a terminal would
    wait for minutes without a word, so they get the line there.
    """
    line = f"nervure: {sentence}\n"
    sys.stderr.write(line)
    sys.stderr.flush()
    if sys.stderr.isatty() or os.environ.get("CI"):
        return
    try:
        with open("CON" if os.name == "nt" else "/dev/tty", "w", encoding="utf-8") as terminal:
            terminal.write(f"\n  {line}")
    except OSError:
        pass  # nobody sits there


# What the files of programs say about their processor: the field at the place, for each kind of file.
PROCESSORS = {
    "linux": {62: "amd64", 183: "arm64"},
    "darwin": {0x01000007: "amd64", 0x0100000C: "arm64"},
    "windows": {0x8664: "amd64", 0xAA64: "arm64"},
}


def platform_of(program: bytes) -> str | None:
    """The platform that a program is for, None if it is none of those that wheels are published for."""

    def field(at: int, size: int) -> int:
        return int.from_bytes(program[at : at + size], "little")

    if program.startswith(b"\x7fELF\x02\x01"):
        system, number = "linux", field(18, 2)
    elif program.startswith(b"\xcf\xfa\xed\xfe"):
        system, number = "darwin", field(4, 4)
    elif program.startswith(b"MZ") and program[field(60, 4) :].startswith(b"PE\0\0"):
        system, number = "windows", field(field(60, 4) + 4, 2)
    else:
        return None
    processor = PROCESSORS[system].get(number)
    return processor and f"{system}/{processor}"


def program_name(target_name: str) -> str:
    """The file name of the program on a platform."""
    return "nervure.exe" if target_name.startswith("windows/") else "nervure"


def go_sources() -> Iterator[str]:
    """The files of the module that the program is built from, in order."""
    root = module_root()
    listed = (
        subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=False)
        if (root / ".git").exists()
        else None
    )
    if listed is not None and listed.returncode == 0:
        names = listed.stdout.decode().split("\0")
    else:
        names = [str(p.relative_to(root).as_posix()) for p in root.rglob("*") if p.is_file()]
    left_out = re.compile(r"^(docs|python|deploy|cmd/docs|bin|dist|\.[^/]*)/|^\.|(^|/)testdata/|_test\.go$|^Makefile$")
    yield from sorted(name for name in names if name and not left_out.search(name) and (root / name).is_file())


# ---- metadata


def project() -> dict[str, Any]:
    """The table [project] of pyproject.toml."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    table: dict[str, Any] = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def metadata() -> str:
    """The core metadata (version 2.4) of the project."""
    p = project()
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {p['name']}",
        f"Version: {python_version(go_version())}",
        f"Summary: {p['description']}",
        f"License-Expression: {p['license']}",
        *(f"License-File: {name}" for name in [*p["license-files"], *notices()]),
        f"Keywords: {','.join(p['keywords'])}",
        *(f"Classifier: {name}" for name in p["classifiers"]),
        *(f"Project-URL: {name}, {url}" for name, url in p["urls"].items()),
        f"Requires-Python: {p['requires-python']}",
        *(f"Requires-Dist: {need}" for need in p["dependencies"]),
    ]
    for extra, needs in p["optional-dependencies"].items():
        lines += [
            f"Provides-Extra: {extra}",
            *(f'Requires-Dist: {need}; extra == "{extra}"' for need in needs),
        ]
    return "\n".join(
        [
            *lines,
            "Description-Content-Type: text/markdown",
            "",
            (HERE / "README.md").read_text(encoding="utf-8"),
        ]
    )


def dist_name() -> str:
    """Name and version, as files are named by them."""
    return f"nervure-{python_version(go_version())}"


def licence() -> Path:
    """The licence: beside this file in an sdist, at the root of a checkout."""
    return next(p for p in (HERE / "LICENSE", module_root() / "LICENSE") if p.is_file())


def notices() -> dict[str, bytes]:
    """The licences of what the program contains, if they are given: cmd/release gathers them."""
    given = os.environ.get("NERVURE_NOTICES", "")
    return {Path(p).name: Path(p).read_bytes() for p in given.split(os.pathsep) if p}


def info_files(tag: str) -> dict[str, bytes]:
    """The files of .dist-info, but for RECORD."""
    scripts = "".join(f"{name} = {entry}\n" for name, entry in project()["scripts"].items())
    return {
        "METADATA": metadata().encode(),
        "WHEEL": (
            "Wheel-Version: 1.0\nGenerator: nervure\nRoot-Is-Purelib: false\n"
            + "".join(f"Tag: py3-none-{t}\n" for t in tag.split("."))
        ).encode(),
        "entry_points.txt": f"[console_scripts]\n{scripts}".encode(),
        "licenses/LICENSE": licence().read_bytes(),
        **{f"licenses/{name}": data for name, data in notices().items()},
    }


# ---- archives


def timestamp() -> int:
    """The time of all files. A zip knows no time before 1980."""
    return max(int(os.environ.get("SOURCE_DATE_EPOCH") or 0), 315532800)


def write_wheel(directory: str, tag: str, files: dict[str, bytes], programs: tuple[str, ...] = ()) -> str:
    """Write a wheel of files, some of them executable, and return its name."""
    info = f"{dist_name()}.dist-info"
    files = {**files, **{f"{info}/{name}": data for name, data in info_files(tag).items()}}
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in sorted(files.items()))
    name = f"{dist_name()}-py3-none-{tag}.whl"
    Path(directory).mkdir(parents=True, exist_ok=True)
    when = time.gmtime(timestamp())[:6]
    with zipfile.ZipFile(Path(directory, name), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, data in [*sorted(files.items()), (f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode())]:
            entry = zipfile.ZipInfo(path, when)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, wherever it is built
            entry.external_attr = (0o100755 if path in programs else 0o100644) << 16
            archive.writestr(entry, data)
    return name


def digest(data: bytes) -> str:
    """The hash of a file in RECORD."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def python_files() -> dict[str, bytes]:
    """The Python files of the package."""
    return {
        f"nervure/{p.relative_to(PACKAGE).as_posix()}": p.read_bytes()
        for p in PACKAGE.rglob("*")
        if p.suffix in (".py", ".js") or p.name == "py.typed"
    }


# ---- the hooks of PEP 517 and 660


def _needs(_settings: object = None) -> list[str]:
    return [] if sys.version_info >= (3, 11) else ["tomli>=2"]


get_requires_for_build_wheel = get_requires_for_build_sdist = get_requires_for_build_editable = _needs


def prepare_metadata_for_build_wheel(metadata_directory: str, _settings: object = None) -> str:
    """Write .dist-info."""
    name = f"{dist_name()}.dist-info"
    for file, data in info_files(tag_of(target())).items():
        path = Path(metadata_directory, name, file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory: str, _settings: object = None, _metadata_directory: str | None = None) -> str:
    """Write a wheel with the program."""
    name = target()
    with tempfile.TemporaryDirectory() as scratch:
        program = Path(scratch, program_name(name))
        build_program(name, program)
        inside, content = f"nervure/_bin/{program.name}", program.read_bytes()
        found = platform_of(content)
        if name in TAGS and found not in (name, None):
            raise BuildError(f"the program is for {found}, and the wheel for {name}: build both for the same platform")
        return write_wheel(wheel_directory, tag_of(name), {**python_files(), inside: content}, (inside,))


def build_editable(wheel_directory: str, _settings: object = None, _metadata_directory: str | None = None) -> str:
    """Write a wheel that points to src, where the program is put."""
    name = target()
    build_program(name, PACKAGE / "_bin" / program_name(name))
    return write_wheel(wheel_directory, tag_of(name), {"nervure.pth": f"{PACKAGE.parent}\n".encode()})


def build_sdist(sdist_directory: str, _settings: object = None) -> str:
    """Write an sdist with the Go source."""
    files: dict[str, bytes] = {"PKG-INFO": metadata().encode(), "LICENSE": licence().read_bytes()}
    for name in ("pyproject.toml", "build_backend.py", "README.md"):
        files[name] = (HERE / name).read_bytes()
    for part in ("src", "tests"):
        files |= {
            p.relative_to(HERE).as_posix(): p.read_bytes()
            for p in (HERE / part).rglob("*")
            if p.suffix in (".py", ".js", ".typed")
        }
    files |= {f"go/{name}": (module_root() / name).read_bytes() for name in go_sources()}
    if os.environ.get("VERSION"):  # so that the wheel built from it has the same
        inside = "go/internal/build/build.go"
        files[inside] = re.sub(
            rb'(?m)^const sourceVersion = ".+"$',
            f'const sourceVersion = "{go_version()}"'.encode(),
            files[inside],
        )
    name = f"{dist_name()}.tar.gz"
    Path(sdist_directory).mkdir(parents=True, exist_ok=True)
    with (
        open(Path(sdist_directory, name), "wb") as raw,
        gzip.GzipFile("", "wb", 9, raw, mtime=timestamp()) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for path, data in sorted(files.items()):
            entry = tarfile.TarInfo(f"{dist_name()}/{path}")
            entry.size, entry.mtime, entry.mode = len(data), timestamp(), 0o644
            archive.addfile(entry, io.BytesIO(data))
    return name


def main() -> None:
    """Build what the command line asks for, and print where it is."""
    parser = argparse.ArgumentParser(description="Build a wheel or the sdist of nervure.")
    parser.add_argument("what", choices=["wheel", "sdist"])
    parser.add_argument("--target", choices=list(TAGS), help="platform of the wheel (default: this machine)")
    parser.add_argument("--program", help="program to pack (default: build it)")
    parser.add_argument("--out", default="dist", help="directory to write to (default: dist)")
    asked = parser.parse_args()
    if asked.program:
        os.environ["NERVURE_PROGRAM"] = asked.program
    if asked.target:
        os.environ["NERVURE_TARGET"] = asked.target
    build: Callable[[str], str] = build_wheel if asked.what == "wheel" else build_sdist
    print(Path(asked.out, build(asked.out)))


if __name__ == "__main__":
    main()
