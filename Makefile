# make run   set everything up and start the bot (with no tokens: a page on this machine)
# make test  set everything up and run the tests
# make check format, lint, types, import contracts and tests: what must pass before a commit
.DEFAULT_GOAL := help
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null && { command -v $$p; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin
ARGS ?=

NPM ?= npm

.PHONY: help setup peers browsers run test check lint format types contracts clean
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

test: $(VENV)/.ready ## set up and run the tests
	@$(BIN)/python -m pytest $(ARGS)

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

clean: ## remove what set-up and tests made; keeps your data
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build *.egg-info
