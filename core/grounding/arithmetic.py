"""Does shown computations again, from the numbers that quotes hold: no other arithmetic reaches an answer."""

import ast
import operator
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from core.grounding.numbers import extract_number_variants, extract_numbers
from core.text.normalisation import unify_punctuation

if TYPE_CHECKING:
    from simpleeval import SimpleEval

_OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
}
_REMAINDER = re.compile(r"%\s*[\d(]")
_ALLOWED_NODES = ("Expr", "UnaryOp", "BinOp")
"""What an expression may be made of, beside plain numbers."""
_LONGEST = 200
_HUNDRED = Decimal(100)
_LARGE = Decimal(10) ** 15
_DIGITS = 6


def evaluate(expression: str) -> Decimal | None:
    """The value of a sum of plain numbers with + - * / and brackets, or None where it is anything else."""
    from simpleeval import InvalidExpression

    try:
        found = _calculator().eval(_plain(expression))
    except (InvalidExpression, SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return None
    return found if isinstance(found, Decimal) and found.is_finite() else None


def format_result(expression: str) -> str:
    """The value of a sum as it is shown: plain digits, four that count where it does not come out even; or empty."""
    value = evaluate(expression)
    if value is None:
        return ""
    if value == value.to_integral_value() and abs(value) < _LARGE:
        return f"{value.quantize(Decimal(1)):f}"
    short = Decimal(f"{value:.4g}")
    exact = value.normalize()
    return f"{exact if len(exact.as_tuple().digits) <= _DIGITS else short.normalize():f}"


def is_correct_computation(expression: str, result: str, quotes: Sequence[str]) -> bool:
    """Whether every operand occurs in ``quotes`` and the computation gives ``result``, to its printed digits.

    100 may be used for percentages, and the number of terms of a sum to divide it by (a mean).
    """
    value, tree = evaluate(expression), _parse_expression(expression)
    printed = extract_numbers(result)
    if value is None or tree is None or len(printed) != 1:
        return False
    held = {abs(number.value) for quote in quotes for number in extract_number_variants(quote)}
    terms = Decimal(1 + sum(isinstance(node, ast.Add) for node in ast.walk(tree)))
    operands = extract_operands(expression)
    if len(operands) < 2 or not all(operand in held or operand in (_HUNDRED, terms) for operand in operands):
        return False
    if not any(operand in held for operand in operands):
        return False
    target = printed[0].value
    step = Decimal(1).scaleb(int(target.as_tuple().exponent)) if target == target else Decimal(0)
    return any(abs(one - target) * 2 <= step for one in (value, value * _HUNDRED if printed[0].unit == "%" else value))


def extract_operands(expression: str) -> tuple[Decimal, ...]:
    """The plain numbers of a sum in order; none where it is anything else."""
    tree = _parse_expression(expression)
    if tree is None or evaluate(expression) is None:
        return ()
    return tuple(Decimal(str(node.value)) for node in ast.walk(tree) if isinstance(node, ast.Constant))


def _plain(expression: str) -> str:
    text = unify_punctuation(expression).replace("×", "*").replace("·", "*").replace("÷", "/").replace(",", "")
    if len(text) > _LONGEST or "**" in text or "//" in text or _REMAINDER.search(text):
        raise ValueError("not a sum of numbers")
    return text.replace("%", "").strip()


def _parse_expression(expression: str) -> ast.expr | None:
    try:
        return ast.parse(_plain(expression), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _calculator() -> "SimpleEval":
    """simpleeval with nothing but the four rules, counting in decimals."""
    from simpleeval import SimpleEval

    calculator = SimpleEval(operators=_OPERATIONS, functions={}, names={})
    calculator.nodes = {kind: node for kind, node in calculator.nodes.items() if kind.__name__ in _ALLOWED_NODES}
    calculator.nodes[ast.Constant] = _number
    return calculator


def _number(node: ast.Constant) -> Decimal:
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        raise ValueError("not a number")
    return Decimal(str(node.value))
