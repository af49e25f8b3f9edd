"""What a channel may set for itself: names, bounds, words, and the frozen value that the rest of Footnote reads."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

from core.domain.errors import SettingsInvalid

AnswerOn: TypeAlias = Literal["mention", "always"]
Removers: TypeAlias = Literal["sharer", "managers", "anyone"]
ModelUse: TypeAlias = Literal["allowed", "off"]

_SWITCH = {"on": "on", "off": "off", "yes": "on", "no": "off", "true": "on", "false": "off"}
_CRON = re.compile(r"^(weekly|daily|off|(\S+\s+){4}\S+)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelSettings:
    """One channel's own settings; what it has not set is as here."""

    answer_on: AnswerOn = "mention"
    follow_ups: bool = True
    private_first: bool = False
    removers: Removers = "sharer"
    model: ModelUse = "allowed"
    digest: str = "off"
    time_zone: str = "UTC"
    template: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingSpec:
    """How one setting is asked for: its label, what it does, and the values it takes (empty: free text).

    ``for_groups``: it means something only where several people write.
    """

    label: str
    does: str
    choices: tuple[str, ...] = ()
    for_groups: bool = False


SETTING_SPECS: Mapping[str, SettingSpec] = {
    "answer_on": SettingSpec(
        label="Answer",
        does="on a mention only, or every question written in this channel",
        choices=("mention", "always"),
        for_groups=True,
    ),
    "follow_ups": SettingSpec(
        label="Follow-ups",
        does="whether a question in a thread that Footnote was asked in needs no mention",
        choices=("on", "off"),
        for_groups=True,
    ),
    "private_first": SettingSpec(
        label="Private first", does="answers go to the asker alone, who may share them", choices=("on", "off")
    ),
    "removers": SettingSpec(
        label="Who may remove a paper",
        does="whoever shared it and managers, managers alone, or anyone here",
        choices=("sharer", "managers", "anyone"),
        for_groups=True,
    ),
    "model": SettingSpec(
        label="Language model",
        does="whether the configured language model may be used for this channel",
        choices=("allowed", "off"),
    ),
    "digest": SettingSpec(label="Digest", does="off, daily, weekly, or a cron expression such as 0 9 * * mon"),
    "time_zone": SettingSpec(label="Time zone", does="an IANA name such as Europe/Berlin, for the digest"),
    "template": SettingSpec(label="Table fields", does="what extract asks of each paper, separated by semicolons"),
}


def parse_settings(stored: Mapping[str, str]) -> ChannelSettings:
    """The settings that ``stored`` texts mean; names and values that are not known (any more) are passed over."""
    values: dict[str, object] = {}
    for name in (item.name for item in fields(ChannelSettings)):
        if name not in stored:
            continue
        try:
            text = check_setting(name, stored[name])
        except SettingsInvalid:
            continue
        values[name] = text == "on" if SETTING_SPECS[name].choices == ("on", "off") else text
    return ChannelSettings(**values)  # type: ignore[arg-type]


def check_setting(name: str, text: str) -> str:
    """``text`` as it is stored for the setting ``name``. Raises ``SettingsInvalid`` with one sentence."""
    spec = SETTING_SPECS.get(name)
    if spec is None:
        raise SettingsInvalid(f"“{name}” is not a setting; there are: {', '.join(SETTING_SPECS)}.")
    wanted = text.strip()
    if spec.choices:
        wanted = _SWITCH.get(wanted.casefold(), wanted.casefold()) if "on" in spec.choices else wanted.casefold()
        if wanted not in spec.choices:
            raise SettingsInvalid(f"{spec.label} takes {' or '.join(spec.choices)}, not “{text.strip()}”.")
    if name == "digest":
        wanted = wanted.casefold()
        if not _CRON.match(wanted):
            raise SettingsInvalid(f"Digest takes off, daily, weekly or five parts of cron, not “{text.strip()}”.")
    if name == "time_zone":
        _zone(wanted)
    return wanted


def _zone(name: str) -> None:
    from zoneinfo import ZoneInfo  # reads a database of its own, which nothing else here needs

    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError) as error:  # a name that is not there is a KeyError
        raise SettingsInvalid(f"“{name}” is not a time zone; an IANA name such as Europe/Berlin is meant.") from error
