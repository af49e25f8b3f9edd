"""Does shown computations again, from the numbers that quotes hold: no other arithmetic reaches an answer."""

import ast
import operator
from collections.abc import Callable, Sequence
from decimal import Decimal, DivisionByZero, InvalidOperation, Overflow
from typing import TypeAlias

from core.grounding.numbers import numbers_in, readings
from core.text.normal import unify

_Operation: TypeAlias = Callable[[Decimal, Decimal], Decimal]
_OPERATIONS: dict[type[ast.operator], _Operation] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_LONGEST = 200
_HUNDRED = Decimal(100)


def evaluate(expression: str) -> Decimal | None:
    """The value of a sum of plain numbers with + - * / and brackets, or None where it is anything else."""
    tree = _parsed(expression)
    if tree is None:
        return None
    try:
        return _value(tree)
    except (ValueError, ArithmeticError, DivisionByZero, InvalidOperation, Overflow, RecursionError):
        return None


def follows(expression: str, result: str, quotes: Sequence[str]) -> bool:
    """Whether every operand occurs in ``quotes`` and the computation gives ``result``, to its printed digits.

    100 may be used for percentages, and the number of terms of a sum to divide it by (a mean).
    """
    value, tree = evaluate(expression), _parsed(expression)
    printed = numbers_in(result)
    if value is None or tree is None or len(printed) != 1:
        return False
    held = {abs(number.value) for quote in quotes for number in readings(quote)}
    terms = Decimal(1 + sum(isinstance(node, ast.Add) for node in ast.walk(tree)))
    operands = [Decimal(str(node.value)) for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    if len(operands) < 2 or not all(operand in held or operand in (_HUNDRED, terms) for operand in operands):
        return False
    if not any(operand in held for operand in operands):
        return False
    target = printed[0].value
    step = Decimal(1).scaleb(int(target.as_tuple().exponent)) if target == target else Decimal(0)
    return any(abs(one - target) * 2 <= step for one in (value, value * _HUNDRED if printed[0].unit == "%" else value))


def _parsed(expression: str) -> ast.expr | None:
    plain = unify(expression).replace("×", "*").replace("·", "*").replace("÷", "/").replace(",", "").strip()
    if len(plain) > _LONGEST or "**" in plain or "//" in plain:
        return None
    try:
        return ast.parse(plain.replace("%", ""), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _value(node: ast.expr) -> Decimal:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return Decimal(str(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        return _OPERATIONS[type(node.op)](_value(node.left), _value(node.right))
    raise ValueError("not a sum of numbers")
