"""Units as papers write them, and the one spelling under which they are compared."""

import re
from decimal import Decimal
from functools import lru_cache

_SPACELESS = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Scripts that put no space between a number and the words around it."""
NO_LETTER_FOLLOWS, NO_LETTER_BEFORE = rf"(?![^\W{_SPACELESS}])", rf"(?<![^\W{_SPACELESS}])"
_PREFIXED = "m s g L l Hz V W J A N Pa eV mol M B b Gy Sv T Ω F H bp pc yr Da FLOPs FLOPS"
_PREFIXES = ("", "k", "M", "G", "T", "P", "m", "µ", "μ", "u", "n", "p", "f", "c", "d", "h")
_WORDS = {
    "%": "percent|per\\s?cent|por\\s?ciento|pour\\s?cent|Prozent",
    "pp": "percentage[\\s-]points?|pp|p\\.p\\.",
    "‰": "per\\s?mille",
    "s": "seconds?|secs?|Sekunden|segundos|secondes",
    "min": "minutes?|mins?|Minuten|minutos",
    "h": "hours?|hrs?|hr|Stunden|horas|heures",
    "d": "days?|Tagen?|días|jours",
    "wk": "weeks?|wks?|Wochen|semanas|semaines",
    "mo": "months?|Monaten?|meses|mois",
    "yr": "years?|yrs?|Jahren?|años|ans|anos|anni",
    "µg": "mcg",
    "t": "tonnes?|t",
    "µm": "microns?",
    "K": "kelvin",
    "°C": "degrees?\\s(?:Celsius|centigrade|C)|Celsius",
    "°F": "degrees?\\s(?:Fahrenheit|F)|Fahrenheit",
    "°": "degrees?|deg",
    "ly": "light[\\s-]years?",
    "AU": "astronomical\\sunits?|au",
    "arcsec": "arcseconds?|arcsecs?",
    "arcmin": "arcminutes?|arcmins?",
    "mmHg": "mm\\s?Hg",
    "rpm": "rpm",
    "atm": "atm",
    "bar": "bar",
    "dB": "dB",
    "px": "pixels?|px",
    "kcal": "kcal",
    "cal": "calories",
    "mag": "mag(?:nitudes?)?",
    "M☉": "solar\\smasses|M☉|M⊙",
    "times": "times|-?\\s?fold|×|x",
    "$": "dollars?|USD|\\$",
    "€": "euros?|EUR|€",
    "£": "pounds?|GBP|£",
    "¥": "yen|yuan|RMB|CNY",
    "ha": "ha|hectares?",
    "acre": "acres?",
    "ppm": "ppm",
    "ppb": "ppb",
    "σ": "sigmas?|σ",
}
_NAMES = {
    "mol": "moles?",
    "g": "gram(?:me)?s?",
    "m": "met(?:er|re)s?",
    "L": "lit(?:er|re)s?",
    "s": "sec(?:onds?)?",
    "V": "volts?",
    "eV": "electron[\\s-]?volts?",
    "Hz": "hertz",
    "pc": "parsecs?",
    "W": "watts?",
    "J": "joules?",
    "A": "amp(?:ere)?s?",
    "N": "newtons?",
    "Pa": "pascals?",
    "T": "teslas?",
    "B": "bytes?",
    "b": "bits?",
}
_PREFIX_NAMES = {
    "kilo": "k",
    "mega": "M",
    "giga": "G",
    "tera": "T",
    "centi": "c",
    "milli": "m",
    "micro": "µ",
    "nano": "n",
    "pico": "p",
}
_SPELLED = rf"(?:{'|'.join(_PREFIX_NAMES)})?(?:{'|'.join(_NAMES.values())})"
_POWERS = r"(?:[²³]|\^?-?[23](?!\d)|[⁻−]?[¹²³])?"
_SYMBOL = "|".join(
    f"{prefix}{unit}"
    for unit in sorted(_PREFIXED.split(), key=len, reverse=True)
    for prefix in sorted(_PREFIXES, key=len, reverse=True)
)
_LONE = "°C|°F|℃|°|K|Å|h|d|min|AU|ly|Mpc|kcal"
_ANY = f"{'|'.join(_WORDS.values())}|{_SPELLED}|{_SYMBOL}|{_LONE}"
_SINGLE = rf"(?:{_ANY}){_POWERS}{NO_LETTER_FOLLOWS}|[%‰％]"
UNIT_PATTERN = (
    rf"(?:[\s-]?(?:(?:{_ANY}){_POWERS}(?:\s?[/·]\s?|\sper\s)(?:{_ANY}){_POWERS}{NO_LETTER_FOLLOWS}|{_SINGLE}))"
)
"""A unit as it follows a number, with the space or hyphen between; for patterns in verbose mode."""

_CANONICAL = [(name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _WORDS.items()]


@lru_cache(maxsize=1_024)
def canonical_unit(unit: str) -> str:
    """One spelling for a unit, whatever a paper writes: "milligrams" and "mg" are the same, "mg" and "µg" are not."""
    plain = unit.strip().lstrip("-").strip()
    if not plain:
        return ""
    numerator, _, denominator = plain.replace(" per ", "/").partition("/")
    if denominator:
        return f"{canonical_unit(numerator)}/{canonical_unit(denominator)}"
    for name, pattern in _CANONICAL:
        if pattern.fullmatch(plain):
            return name
    spelled = _canonical_spelled(plain.lower())
    if spelled:
        return spelled
    plain = plain.replace("μ", "µ").replace("％", "%").replace("℃", "°C")
    if re.fullmatch(r"u[a-zA-Z]+", plain):
        plain = "µ" + plain[1:]
    if re.fullmatch(r"[mµnpkcd]?l", plain):
        plain = plain[:-1] + "L"
    return plain.translate(str.maketrans("²³⁻−¹", "23--1")).replace("^", "")


def _canonical_spelled(unit: str) -> str:
    """The symbol of a unit in words, with its prefix ("milliwatts"); empty for anything else."""
    for prefix, short in (*_PREFIX_NAMES.items(), ("", "")):
        rest = unit.removeprefix(prefix)
        symbol = next((symbol for symbol, pattern in _NAMES.items() if re.fullmatch(pattern, rest)), "")
        if symbol and len(rest) + len(prefix) == len(unit):
            return short + symbol
    return ""


_TIMES = {"s": ("s", "1"), "min": ("s", "60"), "h": ("s", "3600"), "d": ("s", "86400"), "wk": ("s", "604800")}
_LONG_TIMES = {
    "mo": ("mo", "1"),
    "yr": ("mo", "12"),
    "kyr": ("mo", "12e3"),
    "Myr": ("mo", "12e6"),
    "Gyr": ("mo", "12e9"),
}
_FACTORS = {
    "k": "1e3",
    "M": "1e6",
    "G": "1e9",
    "T": "1e12",
    "c": "1e-2",
    "m": "1e-3",
    "µ": "1e-6",
    "n": "1e-9",
    "p": "1e-12",
}
_SIMPLE = ("g", "m", "L", "s", "Hz", "V", "W", "J", "A", "N", "Pa", "eV", "mol", "B", "b", "Gy", "Sv", "bp", "pc")
_BASE_UNITS = {
    **{prefix + unit: (unit, factor) for unit in _SIMPLE for prefix, factor in _FACTORS.items()},
    **_TIMES,
    **_LONG_TIMES,
    "t": ("g", "1e6"),
}


def convert_to_base(value: Decimal, unit: str) -> tuple[Decimal, str]:
    """``value`` in the base unit of a canonical unit: 0.5 kg is 500 g, a week seven days; other units stay."""
    numerator, slash, denominator = unit.partition("/")
    base, factor = _BASE_UNITS.get(numerator, (numerator, "1"))
    return value * Decimal(factor), f"{base}{slash}{denominator}"
