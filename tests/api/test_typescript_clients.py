"""Generated TypeScript clients of docs/openapi.yaml: tsc compiles each call, Node.js runs it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from api.schema import schema
from tests.api.conftest import World
from tests.api.generators import generate, is_missing
from tests.api.operations import SCHEMA, Call, calls, operation_ids

pytestmark = pytest.mark.machine
PACKAGES = ("typescript@5.9.3", "openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "@types/node@20.19.0")
TSC = "--strict --target es2022 --module commonjs --moduleResolution node10 --lib es2022,dom --outDir made"
# The event ID of the tournament that the calls register, known only at run time.
EVENT = "EVENT-ID"
PROGRAM = """
import {{ createInterface }} from "node:readline";
{imports}

type Told = {{ token: string; event: string }};
type Made = {{ status: number; value: unknown; text: string }};
const report = new Blob([{report}], {{ type: "text/plain" }});
{functions}
const steps: Array<(told: Told) => Promise<Made>> = [
{steps}
];

async function main(): Promise<void> {{
    let next = 0;
    for await (const line of createInterface({{ input: process.stdin }})) {{
        console.log(JSON.stringify(await steps[next++](JSON.parse(line) as Told)));
    }}
}}
void main();
"""
OPENAPI_FETCH = """
import createClient from "openapi-fetch";
import type { paths } from "./schema";
"""
OPENAPI_FETCH_FUNCTIONS = """
function client(told: Told) {
    const headers = told.token === "none" ? {} : { Authorization: `Bearer ${told.token}` };
    return createClient<paths>({ baseUrl: process.argv[2], headers });
}
function form(): FormData {
    const fields = new FormData();
    fields.append("file", report, "open.trf");
    return fields;
}
function made(answer: { data?: unknown; response: Response }): Made {
    const text = typeof answer.data === "string" ? answer.data : JSON.stringify(answer.data);
    return { status: answer.response.status, value: answer.data, text };
}
"""
OPENAPI_GENERATOR = 'import * as portal from "./client";'
OPENAPI_GENERATOR_FUNCTIONS = """
function client(told: Told): portal.Configuration {
    const accessToken = told.token === "none" ? undefined : told.token;
    return new portal.Configuration({ basePath: process.argv[2], accessToken });
}
async function made<T>(answer: portal.ApiResponse<T>): Promise<Made> {
    const text = await answer.raw.clone().text();
    return { status: answer.raw.status, value: await answer.value(), text };
}
"""
Operations = dict[str, tuple[str, str, dict[str, Any]]]


def operations() -> Operations:
    """Return method, path and description of each operation, by operation ID."""
    return {
        item["operationId"]: (method, path, item)
        for path, methods in schema()["paths"].items()
        for method, item in methods.items()
    }


def camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)


def literal(value: Any, *, with_dates: bool) -> str:
    """Return a value in TypeScript. With `with_dates`, use the names and types of openapi-generator."""
    if isinstance(value, dict):
        named = {camel(name) if with_dates else name: inner for name, inner in value.items()}
        return f"{{{', '.join(f'{name}: {literal(v, with_dates=with_dates)}' for name, v in named.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(literal(inner, with_dates=with_dates) for inner in value)}]"
    if value == EVENT:
        return "told.event"
    text = json.dumps(value.isoformat() if isinstance(value, date) else value)
    is_date = isinstance(value, date) or re.fullmatch(r'"\d{4}-\d\d-\d\d(T.*)?"', text)
    return f"new Date({text})" if is_date and with_dates else text


def of_openapi_fetch(call: Call, known: Operations) -> str:
    """Return the call of an operation in TypeScript with the types of openapi-typescript."""
    method, path, _item = known[call.operation]
    named = dict(zip(re.findall(r"{(\w+)}", path), call.path, strict=True))
    written = {"path": named, "query": call.query}
    given = [f"params: {literal({name: v for name, v in written.items() if v}, with_dates=False)}"]
    if isinstance(call.body, bytes):
        given += ['body: { file: "open.trf" }', "bodySerializer: form"]
    elif call.body is not None:
        given.append(f"body: {literal(call.body, with_dates=False)}")
    given += ['parseAs: "text"'] if call.is_text else []
    address = f"{json.dumps(path)}, {{ {', '.join(given)} }}"
    return f"    async (told) => made(await client(told).{method.upper()}({address})),"


def of_openapi_generator(call: Call, known: Operations) -> str:
    """Return the call of an operation in TypeScript by the client of openapi-generator."""
    _method, path, item = known[call.operation]
    named = zip(re.findall(r"{(\w+)}", path), call.path, strict=True)
    # A date in a URL may also be `latest`, so it is text.
    given = [f"{camel(name)}: {literal(value, with_dates=False)}" for name, value in named]
    given += [f"{camel(name)}: {literal(value, with_dates=True)}" for name, value in call.query.items()]
    if isinstance(call.body, bytes):
        given.append("file: report")
    elif call.body is not None:
        name = call.model[0].lower() + call.model[1:]
        given.append(f"{name}: {literal(call.body, with_dates=True)}")
    parameters = f"{{ {', '.join(given)} }}" if given or item.get("parameters") else ""
    operation = f"{item['tags'][0].title()}Api(client(told)).{camel(call.operation)}Raw({parameters})"
    return f"    async (told) => made(await new portal.{operation}),"


@pytest.fixture(scope="session")
def node_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the compiler and the packages of the clients. Skip without Node.js."""
    if shutil.which("npm") is None:
        is_missing("Node.js and npm")
    folder = tmp_path_factory.mktemp("typescript")
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", *PACKAGES]
    if subprocess.run(command, cwd=folder, check=False, capture_output=True, timeout=300).returncode:
        is_missing("npm and its registry")
    return folder


def run(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def compiled(folder: Path, name: str, **parts: str) -> Path:
    """Return the JavaScript of a program after tsc has checked and compiled it."""
    (folder / f"{name}.ts").write_text(PROGRAM.format(**parts), encoding="utf-8")
    run(folder, "node_modules/.bin/tsc", *TSC.split(), f"{name}.ts")
    return folder / "made" / f"{name}.js"


def planned(world: World) -> list[Call]:
    """Return all calls, with a placeholder for the tournament that one of them registers."""
    listed = []
    for call in calls(replace(world, clock=lambda at: None)):
        listed.append(call)
        call.note(json.dumps({"event_id": EVENT}).encode())
    return listed


def wrong_answers(program: Path, world: World) -> dict[str, Any]:
    """Run the program's calls one by one. Return those without a value, by operation."""
    wrong: dict[str, Any] = {}
    called, event = set(), ""
    command = ["node", str(program), world.url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for call in calls(world):
            process.stdin.write(json.dumps({"token": call.token, "event": event}) + "\n")
            process.stdin.flush()
            made = json.loads(process.stdout.readline() or "{}")
            if made.get("status", 500) >= 300 or not made.get("value"):
                wrong[call.operation] = made
                break
            if call.operation == "register_tournament":
                event = json.loads(made["text"])["event_id"]
            call.note(made["text"].encode())
            called.add(call.operation)
        process.stdin.close()
    return wrong or dict.fromkeys(operation_ids() - called, "not called")


def test_every_operation_with_types_of_openapi_typescript(node_folder: Path, world: World) -> None:
    # A field with a default may be missing in a body.
    options = ("--output", "schema.d.ts", "--default-non-nullable", "false")
    run(node_folder, "node_modules/.bin/openapi-typescript", str(SCHEMA), *options)
    program = _program(
        node_folder, world, "by_types", OPENAPI_FETCH, OPENAPI_FETCH_FUNCTIONS, of_openapi_fetch
    )

    assert wrong_answers(program, world) == {}


def test_every_operation_of_openapi_generators_typescript(node_folder: Path, world: World) -> None:
    generate("typescript-fetch", node_folder / "client")
    program = _program(
        node_folder,
        world,
        "by_generator",
        OPENAPI_GENERATOR,
        OPENAPI_GENERATOR_FUNCTIONS,
        of_openapi_generator,
    )

    assert wrong_answers(program, world) == {}


def _program(
    folder: Path,
    world: World,
    name: str,
    imports: str,
    functions: str,
    written: Callable[[Call, Operations], str],
) -> Path:
    known, listed = operations(), planned(world)
    [report] = {call.body for call in listed if isinstance(call.body, bytes)}
    steps = "\n".join(written(call, known) for call in listed)
    parts = {
        "imports": imports,
        "functions": functions,
        "steps": steps,
        "report": json.dumps(report.decode()),
    }
    return compiled(folder, name, **parts)
