# make run   set everything up and start the bot (with no tokens: a page on this machine)
# make test  set everything up and run the tests but for the slow ones
# make check format, lint, types, import contracts and those tests: what must pass before a commit
.DEFAULT_GOAL := help
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null && { command -v $$p; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin
ARGS ?=

NPM ?= npm

# How requirements.lock is made: from pyproject.toml alone, for all extras and every Python and system at once.
# Versions that are in the file stay unless pyproject.toml rules them out; nothing is installed, only metadata read.
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --all-extras --no-emit-index-url --no-annotate \
	--custom-compile-command "make lock" pyproject.toml

.PHONY: help setup peers browsers run test slow check lint format types contracts lock check-lock package clean
help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

$(VENV)/.ready: pyproject.toml requirements.lock .ci/setup.py
	@test -n "$(PYTHON)" || { echo "Footnote needs Python 3.11, 3.12 or 3.13 with venv; none was found. Install one, or name it: make PYTHON=/path/to/python3.12"; exit 2; }
	$(PYTHON) .ci/setup.py --venv $(VENV)
	@touch $@

setup: $(VENV)/.ready ## install everything into .venv

peers: ## install the chat servers that tests connect to (needs Node 20)
	@for folder in tests/peers/*/package.json; do (cd "$${folder%/*}" && $(NPM) install --no-save --no-audit --no-fund --silent) || exit 1; done

browsers: ## install the browser that the page is tested in (Debian's Chromium; needs root)
	@command -v chromium >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq chromium >/dev/null; }

run: $(VENV)/.ready ## set up and start the bot
	@$(BIN)/python -m bot run $(ARGS)

test: $(VENV)/.ready ## set up and run the tests but for the slow ones
	@$(BIN)/python -m pytest -m "not slow" $(ARGS)

slow: $(VENV)/.ready ## set up and run the slow tests: kills, crowds, browsers, OCR, whole commands, real models
	@$(BIN)/python -m pytest -m slow $(ARGS)

check: lint types contracts test ## everything that must pass before a commit

lint: $(VENV)/.ready ## format and lint, without changing files
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .

format: $(VENV)/.ready ## format and mend what can be mended
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

types: $(VENV)/.ready ## strict type check
	@$(BIN)/mypy

contracts: $(VENV)/.ready ## the direction of imports
	@$(BIN)/lint-imports

# uv alone, so that a lock can be made while what it asks for cannot be installed.
$(BIN)/uv:
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(grep '^uv==' requirements.lock)"

lock: $(BIN)/uv ## make requirements.lock from pyproject.toml (ARGS=--upgrade takes the newest of everything)
	$(LOCK) --output-file requirements.lock $(ARGS)

check-lock: $(BIN)/uv ## whether requirements.lock follows from pyproject.toml
	@mkdir -p build && cp requirements.lock build/requirements.lock
	@$(LOCK) --output-file build/requirements.lock
	@diff requirements.lock build/requirements.lock || { echo "requirements.lock does not follow from pyproject.toml; run: make lock"; exit 1; }

package: $(BIN)/uv ## build the source archive and the wheel of a release into dist
	@rm -rf build/lib dist
	@$(BIN)/uv build --quiet --out-dir dist
	@$(BIN)/python -m zipfile --list dist/*.whl

clean: ## remove what set-up and tests made; keeps your data
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build *.egg-info
