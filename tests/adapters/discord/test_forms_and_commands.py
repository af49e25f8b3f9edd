"""Forms become modals and come back; the backend's commands become Discord's."""

from adapters.discord import command_definitions
from adapters.discord.render import modal, parse_fields
from bot.commands import TABLE
from core.domain.platforms import CommandWords
from core.domain.reply import Field, Form

FORM = Form(
    name="wrong",
    title="What would be right? " * 4,
    value="trace",
    fields=(
        Field(name="answer", label="The right answer " * 4, kind="text", hint="h" * 200, initial="x", required=False),
        Field(name="page", label="Page"),
        Field(name="mode", label="Mode", kind="choice", choices=(("a", "A"), ("b", "B")), initial="b"),
    ),
)


def test_a_form_is_a_modal_within_the_limits() -> None:
    payload = modal(FORM).to_dict()
    assert payload["custom_id"] == "wrong:trace" and len(payload["title"]) <= 45
    answer, page, mode = payload["components"]
    assert len(answer["label"]) <= 45 and len(answer["description"]) <= 100
    assert answer["component"]["style"] == 2 and answer["component"]["value"] == "x"
    assert page["component"]["required"] and page["component"]["style"] == 1
    assert [item["value"] for item in mode["component"]["options"] if item.get("default")] == ["b"]


def test_what_was_filled_in_comes_back_by_name() -> None:
    sent = [
        {"type": 18, "component": {"type": 4, "custom_id": "answer", "value": "42"}},
        {"type": 1, "components": [{"type": 4, "custom_id": "page", "value": ""}]},
        {"type": 18, "component": {"type": 3, "custom_id": "mode", "values": ["b"]}},
        {"type": 10, "content": "words"},
    ]
    assert parse_fields(sent) == {"answer": "42", "page": "", "mode": "b"}


def test_every_command_of_the_desk_is_registered_within_the_limits() -> None:
    made = command_definitions.registration(TABLE)
    slash = [item for item in made if item["type"] == 1]
    assert set(TABLE) <= {item["name"] for item in slash} and len(slash) <= 100
    for item in slash:
        assert item["name"] == item["name"].lower() and 1 <= len(item["name"]) <= 32
        assert 1 <= len(item["description"]) <= 100 and len(item["options"]) <= 25
        names = [option["name"] for option in item["options"]]
        assert len(set(names)) == len(names) and all(
            1 <= len(option["description"]) <= 100 for option in item["options"]
        )
        required = [option["required"] for option in item["options"]]
        assert required == sorted(required, reverse=True)
    assert {item["name"] for item in made if item["type"] == 3} == {"Ask about this", "Index these PDFs"}


def test_nothing_is_registered_anew_for_what_discord_adds_itself() -> None:
    wanted = command_definitions.registration(TABLE)
    there = [{**item, "id": "1", "version": "2", "dm_permission": True, "nsfw": False} for item in reversed(wanted)]
    assert not command_definitions.differ(wanted, there)
    there[0] = {**there[0], "description": "other"}
    assert command_definitions.differ(wanted, there) and command_definitions.differ(wanted, there[1:])


def test_options_become_the_words_that_the_command_has_everywhere() -> None:
    correct = CommandWords(usage="correct PAPER: FIELD = VALUE", does="corrects")
    given = command_definitions.CommandCall(name="correct", options={"paper": "2", "field": "year", "value": "2019"})
    assert command_definitions.words_of(given, correct) == "2: year = 2019"
    setting = CommandWords(usage="settings NAME = VALUE", does="shows")
    assert command_definitions.words_of(command_definitions.CommandCall(name="settings"), setting) == ""
    assert (
        command_definitions.words_of(
            command_definitions.CommandCall(name="settings", options={"name": "model = off"}), setting
        )
        == "model = off"
    )
    page = CommandWords(usage="page PAPER NUMBER", does="shows")
    assert (
        command_definitions.words_of(
            command_definitions.CommandCall(name="page", options={"paper": "3", "number": "5"}), page
        )
        == "3 5"
    )
    assert (
        command_definitions.placeholder(page, "paper") == "PAPER"
        and command_definitions.placeholder(page, "other") == ""
    )


def test_a_payload_is_read_whole() -> None:
    file = {"id": "9", "filename": "a.pdf", "content_type": "application/pdf", "size": 3, "url": "u"}
    given = command_definitions.parse_call(
        {
            "name": "upload",
            "type": 1,
            "options": [
                {"type": 11, "name": "file", "value": "9"},
                {"type": 5, "name": "private", "value": True},
                {"type": 3, "name": "paper", "value": "com", "focused": True},
            ],
            "resolved": {"attachments": {"9": file}},
        }
    )
    assert [item.name for item in given.files] == ["a.pdf"] and given.private and given.typing == "paper"
    assert given.options["paper"] == "com" and "file" not in given.options
