"""Mutants of a module: its source with one small change each, of the kind that a slip of the hand would make."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.Pow: ast.Mult,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A module with one change: where it is, what stood there, and what stands there now."""

    line: int
    before: str
    after: str
    tree: ast.Module

    def __str__(self) -> str:
        return f"{self.line}: `{self.before}` -> `{self.after}`"


def mutants(source: str) -> list[Mutant]:
    """All mutants of a module's source, in the order of its lines.

    >>> [str(mutant) for mutant in mutants("def f(x):\\n    return x < 3")]
    ['2: `x < 3` -> `x <= 3`', '2: `3` -> `4`']
    """
    tree = ast.parse(source)
    idle = _decorators(tree)
    found = []
    for number, node in enumerate(ast.walk(tree)):
        for changed in _changes(node) if id(node) not in idle else ():
            other = copy.deepcopy(tree)
            _replace(other, number, changed)
            line = getattr(node, "lineno", 0)
            found.append(Mutant(line, ast.unparse(node), ast.unparse(changed), ast.fix_missing_locations(other)))
    return sorted(found, key=lambda mutant: mutant.line)


def _decorators(tree: ast.Module) -> set[int]:
    """What stands in decorators, such as `frozen=True`: habits of the house, and no behaviour."""
    owners = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    return {id(part) for owner in owners for decorator in owner.decorator_list for part in ast.walk(decorator)}


def _replace(tree: ast.Module, number: int, changed: ast.AST) -> None:
    """Put a node in the place of the one that is met as number so-and-so."""
    node = next(node for position, node in enumerate(ast.walk(tree)) if position == number)
    node.__class__ = changed.__class__  # type: ignore[assignment]
    places = {name: getattr(node, name) for name in ("lineno", "col_offset") if hasattr(node, name)}
    node.__dict__ = {**copy.deepcopy(changed).__dict__, **places}


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARED:
        yield _with(node, ops=[_COMPARED[type(node.ops[0])](), *node.ops[1:]])
    elif isinstance(node, ast.BinOp) and type(node.op) in _COUNTED and not _is_type(node):
        yield _with(node, op=_COUNTED[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield copy.deepcopy(node.operand)
    elif isinstance(node, ast.IfExp):
        yield _with(node, body=node.orelse, orelse=node.body)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1 if isinstance(node.value, int) else node.value * 1.5 + 0.1)


def _is_type(node: ast.BinOp) -> bool:
    """Whether this is a union of types: no figure hangs on an annotation."""
    sides = (node.left, node.right)
    return isinstance(node.op, ast.BitOr) and any(
        (isinstance(side, ast.Constant) and side.value is None) or isinstance(side, ast.Subscript) for side in sides
    )


def _with(node: ast.AST, **changes: object) -> ast.AST:
    changed = copy.deepcopy(node)
    for name, value in changes.items():
        setattr(changed, name, copy.deepcopy(value))
    return changed
