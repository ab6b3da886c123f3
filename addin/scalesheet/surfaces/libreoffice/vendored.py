"""The core as the extension carries it: the same modules, readable by an older Python.

LibreOffice brings its own Python on Windows and macOS, as old as 3.8. The sources are rewritten,
not copied by hand: type hints go (those of worksheet functions become the quantities that they
name), and so do two keywords that older versions do not know. Nothing else changes, and the tests
hold the result against the original.
"""

import ast
import importlib
import inspect
from importlib import resources
from pathlib import Path
from types import UnionType
from typing import get_origin

from scalesheet.registry import REGISTRY

PACKAGE = "scalesheet_calc"
ALL_FUNCTIONS = "functions"
"""The module that imports every module of the maths, which fills the registry."""
DATA = ".csv"
HINT_MODULES, NO_HINTS = {"typing", "collections.abc"}, {"NamedTuple"}
NEWER_KEYWORDS = {"dataclass": "slots", "zip": "strict"}


def sources() -> dict[str, str]:
    """The text of every file that the extension carries, by its path in it."""
    maths = sorted({record.body.__module__ for record in REGISTRY.values()})
    listed = "".join(f"import {_vendored(name)}\n" for name in maths)
    files = {
        f"{PACKAGE}/__init__.py": "",
        f"{PACKAGE}/{ALL_FUNCTIONS}.py": listed,
    }
    for name in modules(*maths, "scalesheet.surfaces.cells"):
        module = importlib.import_module(name)
        path = _vendored(name).replace(".", "/")
        is_package = hasattr(module, "__path__")
        files[f"{path}/__init__.py" if is_package else f"{path}.py"] = downgraded(_source(name))
        if is_package:
            for file in sorted(resources.files(name).iterdir(), key=lambda file: file.name):
                if file.name.endswith(DATA):
                    files[f"{path}/{file.name}"] = file.read_text(encoding="utf-8")
    return files


def modules(*names: str) -> list[str]:
    """Modules of ours and all that they import of ours, directly or not."""
    found: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in found or name == "scalesheet":
            continue
        found[name] = None
        for node in ast.walk(ast.parse(_source(name))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("scalesheet"):
                waiting += _imported(node)
        waiting.append(name.rpartition(".")[0])
    return sorted(found)


def _imported(node: ast.ImportFrom) -> list[str]:
    """The modules that an import names: the module itself, or modules of a package."""
    home = importlib.import_module(str(node.module))
    inside = [
        f"{node.module}.{alias.name}"
        for alias in node.names
        if inspect.ismodule(getattr(home, alias.name, None))
    ]
    return [str(node.module), *inside]


def _source(name: str) -> str:
    """The text of a module, which may be empty."""
    return Path(str(importlib.import_module(name).__file__)).read_text(encoding="utf-8")


def _vendored(name: str) -> str:
    """The name of a module inside the extension."""
    return name.replace("scalesheet", PACKAGE, 1)


def downgraded(source: str) -> str:
    """A module's source without what an older Python cannot read; its examples stay runnable."""
    text = ast.unparse(ast.fix_missing_locations(_Downgrade().visit(ast.parse(source)))) + "\n"
    return text.replace(">>> from scalesheet.", f">>> from {PACKAGE}.")


class _Downgrade(ast.NodeTransformer):
    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        if node.module in HINT_MODULES:
            node.names = [alias for alias in node.names if alias.name in NO_HINTS]
        if node.module and node.module.partition(".")[0] == "scalesheet":
            home = importlib.import_module(node.module)
            node.names = [
                alias for alias in node.names if not _is_hint(getattr(home, alias.name, None))
            ]
            node.module = node.module.replace("scalesheet", PACKAGE, 1)
        return node if node.names else None

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        if not any(
            ast.unparse(decorator).startswith("function(") for decorator in node.decorator_list
        ):
            node.returns = None
            for argument in (*node.args.args, *node.args.kwonlyargs):
                argument.annotation = None
            for rest in (node.args.vararg, node.args.kwarg):
                if rest:
                    rest.annotation = None
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Fields keep their hints as text: a record needs to see one."""
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign):
                statement.annotation = ast.Constant(value=ast.unparse(statement.annotation))
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.annotation, ast.Constant) or node.value is None:
            return node
        return ast.Assign(targets=[node.target], value=node.value)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        """Names of types: a quantity's name stands for the quantity, the others are hints only."""
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _names_a_type(name):
                match value:
                    case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=parts)):
                        node.value = parts[-1]
                    case _:
                        return None
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        newer = NEWER_KEYWORDS.get(ast.unparse(node.func))
        node.keywords = [keyword for keyword in node.keywords if keyword.arg != newer or not newer]
        return node


def _names_a_type(name: str) -> bool:
    return name[:1].isupper() and (name != name.upper() or len(name) == 1)


def _is_hint(value: object) -> bool:
    """Whether a name stands for a type that only hints use; quantities ride on hints and stay."""
    is_alias = get_origin(value) is not None or isinstance(value, UnionType)
    return is_alias and not hasattr(value, "__metadata__")
