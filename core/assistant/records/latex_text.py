"""LaTeX and HTML in the fields of a bibliography: plain text out of them, and plain text made safe for LaTeX. Pure."""

import html
import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pylatexenc.latex2text import LatexNodes2Text
    from pylatexenc.latexwalker import LatexMacroNode

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}
_SIGN_MACROS = {"textless": "<", "textgreater": ">", "textbar": "|", "textasciitilde": "~", "textasciicircum": "^"}
_TEXT_SIGN = re.compile(r"(?<!\\)[%&#]")
"""Signs that mean something to LaTeX and that reference managers leave as they are."""
_MATH = re.compile(r"(?<!\\)\$[^$]+\$")
_RAISED_OR_LOWERED = re.compile(r"(?<!\\)[_^](?:\{([^{}]*)\}|(\w))")
_TAG = re.compile(r"</?(?:i|b|u|em|strong|sub|sup|span|sc|scp|p|jats:\w+)\b[^<>]*>", re.IGNORECASE)
_ENTITY = re.compile(r"&#?\w+;")
_WORD = re.compile(r"[^\W\d_]+")


def decode_html(text: str) -> str:
    """``text`` on one line, without the tags of style that publishers leave in titles, entities as their signs."""
    return " ".join(_TAG.sub("", _ENTITY.sub(lambda entity: html.unescape(entity.group()), text)).split())


def decode_latex(text: str) -> str:
    """What LaTeX prints for ``text``, on one line; a macro that is not known stays as it is written."""
    escaped = _TEXT_SIGN.sub(r"\\\g<0>", _MATH.sub(_level_math, text))
    return decode_html(_decoder().latex_to_text(escaped))


def dot_latin_i(text: str) -> str:
    r"""``text`` with a bare ``\i`` or ``\j`` as a plain letter in words that are otherwise plain Latin.

    Behind a capital I it is gone: some programs write a capital in the Turkish way, ``I{\i}`` for ``I``.
    """
    return _WORD.sub(_dot_word, text)


def _dot_word(word: re.Match[str]) -> str:
    dotted = word.group().replace("Iı", "I").replace("ı", "i").replace("ȷ", "j")
    return dotted if dotted.isascii() else word.group()


def _level_math(formula: re.Match[str]) -> str:
    return _RAISED_OR_LOWERED.sub(lambda mark: mark.group(1) or mark.group(2) or "", formula.group())


@cache
def _decoder() -> "LatexNodes2Text":
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    signs = [MacroTextSpec(name, simplify_repl=sign) for name, sign in _SIGN_MACROS.items()]
    context = get_default_latex_context_db()
    context.add_context_category(
        "bibliography", prepend=True, macros=[MacroTextSpec("url", simplify_repl="%s"), *signs]
    )
    context.set_unknown_macro_spec(MacroTextSpec("", simplify_repl=_keep_unknown))
    return LatexNodes2Text(latex_context=context, math_mode="text")


def _keep_unknown(node: "LatexMacroNode") -> str:
    """Nothing for an unknown macro around words, which are kept; the macro itself where it stands alone."""
    following = node.parsing_state.s[node.pos + node.len :]
    return "" if following.startswith("{") else f"\\{node.macroname}{node.macro_post_space}"


def encode_latex(text: str) -> str:
    """Words as LaTeX prints them; UTF-8 letters stay."""
    words = " ".join(text.split())
    if not _is_balanced(words):
        # BibTeX counts braces whatever stands before them: one alone would swallow the rest of the file.
        words = words.replace("{", "(").replace("}", ")")
    return "".join(_ESCAPES.get(char, char) for char in words)


def _is_balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return False
    return depth == 0
