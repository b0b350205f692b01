"""Writes the software bill of materials (SBOM) of this version to `built/sbom.cdx.json`, in the CycloneDX format.

It lists the code of others that we install or ship, and what depends on what: `requirements/base.txt`,
`package-lock.json` (what phones run) and the scripts in `static/vendor`. Fonts have their licences beside them.

The same commit gives the same file: components are sorted, the timestamp is that of the commit, and the serial number
follows from the components. Without git there is no timestamp.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
import uuid
from collections.abc import Iterator
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import AttachedText, HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "built" / "sbom.cdx.json"
SCHEMA = SchemaVersion.V1_6
SERIAL_NUMBERS = uuid.UUID("6f6a2c0e-5a1f-4d35-9d0f-3f6f8e0a7b11")  # the namespace of ours
PIN = re.compile(r"^([\w.-]+)(?:\[[\w,-]+\])?==([\w.!+-]+)(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
VENDORED = re.compile(r"(.+)-(\d+\.\d+\.\d+)")

Dependants = dict[str, set[str]]  # a component's key → the keys of those that depend on it


def make_sbom() -> str:
    """Return the bill of materials as JSON."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    ours = Component(
        name=project["name"],
        version=project["version"],
        type=ComponentType.APPLICATION,
        bom_ref=project["name"],
        licenses=[LicenseFactory().make_from_string("MIT")],
    )
    components: dict[str, Component] = {}
    dependants: Dependants = {}
    for read in (_read_python, _read_npm, _read_vendored):
        for component, names in read():
            key = str(component.bom_ref.value)
            components[key], dependants[key] = component, names
    bom = Bom(components=[components[key] for key in sorted(components)])
    bom.metadata.component = ours
    for key, component in components.items():
        for name in dependants[key]:
            # A package that depends on a part of itself, such as psycopg[binary], is no edge.
            if name != key:
                bom.register_dependency(components.get(name, ours), [component])
    bom.serial_number = uuid.uuid5(SERIAL_NUMBERS, "\n".join([f"{ours.name} {ours.version}", *sorted(components)]))
    written = json.loads(make_outputter(bom, OutputFormat.JSON, SCHEMA).output_as_string())
    # The library always writes a time, by default that of the run.
    del written["metadata"]["timestamp"]
    if moment := _get_commit_time():
        written["metadata"]["timestamp"] = moment
    return json.dumps(written, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _read_python() -> Iterator[tuple[Component, set[str]]]:
    for name, version, rest in PIN.findall((ROOT / "requirements" / "base.txt").read_text("utf-8")):
        # Below a pin, uv writes what depends on it: "# via kombu", or "# via" and a line for each.
        _hashes, _via, users = rest.partition("# via")
        names = re.findall(r"[\w.-]+(?: base\.in)?", users)
        yield (
            _make_component("pypi", name, version),
            {"ours" if each == "-r base.in" else f"pypi/{each}" for each in names},
        )


def _read_npm() -> Iterator[tuple[Component, set[str]]]:
    locked = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    users: Dependants = {}
    for path, package in locked.items():
        own = f"npm/{path.rpartition('node_modules/')[2]}" if path else "ours"
        for name in package.get("dependencies", {}):
            users.setdefault(f"npm/{name}", set()).add(own)
    for path, package in locked.items():
        if path and not package.get("dev"):
            component = _make_component("npm", path.rpartition("node_modules/")[2], package["version"])
            component.licenses = [LicenseFactory().make_from_string(package["license"])]
            content = base64.b64decode(package["integrity"].removeprefix("sha512-")).hex()
            component.hashes = [HashType(alg=HashAlgorithm.SHA_512, content=content)]
            yield component, users.get(str(component.bom_ref.value), set())


def get_package_name(folder: str) -> str:
    """Return the name at npm of a vendored package: folders write `@scope/name` as `scope__name`."""
    scope, mark, name = folder.rpartition("__")
    return f"@{scope}/{name}" if mark else folder


def _read_vendored() -> Iterator[tuple[Component, set[str]]]:
    for folder in sorted((ROOT / "static" / "vendor").iterdir()):
        script = next(folder.glob("*.js"), None)
        if script is None:  # a font
            continue
        match = VENDORED.fullmatch(folder.name)
        if match is None:
            raise ValueError(f"{folder} has no version in its name")
        component = _make_component("npm", get_package_name(match[1]), match[2])
        component.bom_ref.value = f"vendor/{folder.name}"
        component.licenses = [
            DisjunctiveLicense(name="LICENSE", text=AttachedText(content=(folder / "LICENSE").read_text()))
        ]
        component.hashes = [
            HashType(alg=HashAlgorithm.SHA_256, content=hashlib.sha256(script.read_bytes()).hexdigest())
        ]
        yield component, {"ours"}


def _make_component(kind: str, name: str, version: str) -> Component:
    namespace, _slash, own = name.rpartition("/")
    purl = PackageURL(kind, namespace or None, own, version)
    return Component(name=name, version=version, bom_ref=f"{kind}/{name}", purl=purl, type=ComponentType.LIBRARY)


def _get_commit_time() -> str | None:
    git = shutil.which("git")
    if git is None:
        return None
    command = [git, "log", "--max-count=1", "--format=%cI"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout.strip() or None


def main() -> None:
    """Write the bill of materials."""
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(make_sbom(), "utf-8")
    sys.stdout.write(f"{TARGET.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
