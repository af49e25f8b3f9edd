"""Finds servers of language models on this machine and lists what a server offers.

Only addresses of this machine are looked at unasked, each for a moment and all side by side. Proxies of the environment
are not used and redirects not followed, as with every request to a model.
"""

import asyncio
import http.client
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import cast
from urllib.parse import SplitResult, urlsplit

from core.domain.errors import ModelKeyRefused, ModelUnavailable, SettingsInvalid
from core.domain.model_setup import ModelServer, OfferedModel
from core.llm.failures import ModelLabel, web_page_failure

USUAL_PORTS: Sequence[tuple[str, int]] = (("Ollama", 11434), ("LM Studio", 1234), ("llama.cpp", 8080), ("vLLM", 8000))
LOOK_SECONDS = 1.0
ASK_SECONDS = 10.0
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_MOST_BYTES = 4_000_000
_CONTEXT_KEYS = (
    "loaded_context_length",
    "max_model_len",
    "context_length",
    "context_window",
    "max_context_length",
    "n_ctx",
)
_SERVED_PATHS = ("/api/ps", "/api/v0/models", "/props")
"""Where Ollama, LM Studio and llama.cpp tell how much a model that is loaded takes in."""


async def find_servers(
    ports: Sequence[tuple[str, int]] | None = None, *, seconds: float = LOOK_SECONDS
) -> tuple[ModelServer, ...]:
    """The servers that answer on this machine, at their usual ports unless ``ports`` are given."""
    looked_at = USUAL_PORTS if ports is None else ports
    found = await asyncio.gather(*(_look(program, port, seconds) for program, port in looked_at))
    return tuple(server for server in found if server is not None)


async def _look(program: str, port: int, seconds: float) -> ModelServer | None:
    try:
        base_url, models = await list_models(f"http://127.0.0.1:{port}/v1", seconds=seconds)
    except ModelKeyRefused:
        return ModelServer(program=program, base_url=f"http://127.0.0.1:{port}/v1", models=())
    except ModelUnavailable:
        return None
    return ModelServer(program=program, base_url=base_url, models=models) if models else None


async def list_models(
    base_url: str, key: str = "", *, seconds: float = ASK_SECONDS
) -> tuple[str, tuple[OfferedModel, ...]]:
    """The address under which the models answer, with "/v1" behind it where it was left out, and the models.

    There are none where the server does not list them. Raises ``SettingsInvalid`` for what is no address,
    ``ModelKeyRefused`` and ``ModelUnavailable``.
    """
    address = base_url.strip().rstrip("/")
    parts = check_address(address)
    candidates = [address] if parts.path.rstrip("/").endswith("/v1") else [address, f"{address}/v1"]
    for candidate in candidates:
        listed = await asyncio.to_thread(_get, f"{candidate}/models", key, seconds)
        if isinstance(listed, Mapping) and isinstance(listed.get("data"), list):
            return candidate, tuple(_offered(cast(Sequence[object], listed["data"])))
    return candidates[0], ()


async def served_context(base_url: str, model: str) -> int:
    """Tokens that a model which is loaded on this machine takes in, as its server tells; 0 where it does not."""
    parts = urlsplit(base_url)
    if not is_local(base_url):
        return 0
    for path in _SERVED_PATHS:
        try:
            told = await asyncio.to_thread(_get, f"{parts.scheme}://{parts.netloc}{path}", "", LOOK_SECONDS)
        except ModelUnavailable:
            continue
        tokens = _context_of(told, model)
        if tokens:
            return tokens
    return 0


def is_local(base_url: str) -> bool:
    """Whether an address is one of this machine."""
    return urlsplit(base_url).hostname in _LOOPBACK


def check_address(address: str) -> SplitResult:
    """Raises ``SettingsInvalid`` where ``address`` is none that requests can go to."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SettingsInvalid(f"{address} is no address; it begins with http:// or https://.")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise SettingsInvalid("The address may hold no name, password or query; a key is asked for by itself.")
    return parts


def _get(url: str, key: str, seconds: float) -> object:
    """What is found at ``url``; None where there is nothing, or no JSON."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    headers = {"accept": "application/json", "user-agent": "footnote"}
    if key:
        headers["authorization"] = f"Bearer {key}"
    try:
        connection = kind(str(parts.hostname), parts.port, timeout=seconds)
        try:
            connection.request("GET", parts.path, headers=headers)
            response = connection.getresponse()
            body = response.read(_MOST_BYTES)
        finally:
            connection.close()
    except (OSError, http.client.HTTPException, ValueError) as fault:
        raise ModelUnavailable(f"Nothing answers at {parts.scheme}://{parts.netloc}.") from fault
    if response.status in (401, 403):
        raise ModelKeyRefused(f"{parts.netloc} wants a key, or another one ({response.status}).")
    if response.getheader("content-type", "").startswith("text/html") and response.status == 200:
        raise ModelUnavailable(ModelLabel().said(web_page_failure(response.status).words))
    if response.status >= 500:
        raise ModelUnavailable(f"The server at {parts.netloc} reports a fault of its own ({response.status}).")
    try:
        return cast(object, json.loads(body)) if response.status == 200 else None
    except ValueError:
        return None


def _offered(listed: Sequence[object]) -> Iterator[OfferedModel]:
    for entry in listed:
        if isinstance(entry, Mapping) and entry.get("id"):
            yield OfferedModel(name=str(entry["id"]), context_tokens=_tokens(entry))


def _tokens(entry: Mapping[str, object]) -> int:
    return next((value for key in _CONTEXT_KEYS if isinstance(value := entry.get(key), int) and value > 0), 0)


def _context_of(told: object, model: str) -> int:
    """The context in what a server tells of itself: of the model where it lists several."""
    if not isinstance(told, Mapping):
        return 0
    settings = told.get("default_generation_settings")
    if isinstance(settings, Mapping):
        return _tokens(settings)
    listed = told.get("models") or told.get("data")
    entries = [entry for entry in listed if isinstance(entry, Mapping)] if isinstance(listed, list) else []
    named = [entry for entry in entries if model in (entry.get("id"), entry.get("name"), entry.get("model"))]
    return next((tokens for entry in named if (tokens := _tokens(entry))), 0)
