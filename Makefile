# Tailgunner: `make run` serves it, `make test` tests it; `make help` lists the rest.
# Everything lives in .venv (code) and var/ (data); deleting both starts afresh.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
export HOST PORT

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install --require-hashes
PYTEST := $(BIN)/pytest
# Tests that share a service or a file stay together; the folders whose tests take longest come first.
PYTEST_AT_ONCE := $(PYTEST) --numprocesses=auto --maxprocesses=4 --dist=loadscope --no-loadscope-reorder
DEV_TOOLS := .venv/.dev-installed
BASE_TOOLS := .venv/.base-installed
BENCH_TOOLS := .venv/.bench-installed

.DEFAULT_GOAL := help
.PHONY: help setup run offline test test-fast check lint format bench faults security audit mutants lock screenshots clean

help: ## show what can be made
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:[^#]*## /\t/' | expand -t 12

setup: $(DEV_TOOLS) ## make .venv with everything that building and testing needs
	@:

.venv/bin/python:
	@command -v git >/dev/null || { echo "git is missing. On Debian or Ubuntu: sudo apt install git"; exit 1; }
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is missing. On Debian or Ubuntu: sudo apt install python3 python3-venv; elsewhere: https://www.python.org/downloads/"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed, $(PYTHON) is" `$(PYTHON) -V`". Name another one: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv module is missing. On Debian or Ubuntu: sudo apt install python3-venv"; exit 1; }
	@echo "Making .venv ..."
	@$(PYTHON) -m venv .venv

# dev.txt holds the same versions as base.txt and more, so whoever has the one need not install the other.
$(BASE_TOOLS): requirements/base.txt | .venv/bin/python
	@echo "Installing what Tailgunner needs to run ..."
	@$(PIP) -r requirements/base.txt
	@touch $@

$(DEV_TOOLS): requirements/base.txt requirements/dev.txt | .venv/bin/python
	@echo "Installing what is needed to build and test ..."
	@$(PIP) -r requirements/dev.txt
	@touch $(BASE_TOOLS) $@

# What the benchmarks compare with; it is pinned, and nothing else needs it.
$(BENCH_TOOLS): requirements/bench.in $(DEV_TOOLS)
	@$(BIN)/python -m pip --disable-pip-version-check --quiet install -r requirements/bench.in
	@touch $@

run: $(BASE_TOOLS) ## serve Tailgunner with the demo ride on http://127.0.0.1:8000/ (HOST=0.0.0.0 for the network, PORT=..., TLS=1 for HTTPS)
	@$(MAKE) --no-print-directory offline || echo "Starting anyway; crew phones need signal until make offline succeeds."
	@$(BIN)/python manage.py migrate --verbosity 0
	@exec $(BIN)/python manage.py serve --demo --host $(HOST) --port $(PORT) $(if $(TLS),--tls)

offline: $(BASE_TOOLS) ## build what phones need without signal, unless it is there (with Node, which is fetched where there is none)
	@$(BIN)/python -m scorekeeper.offline.node || $(PIP) -r requirements/node.txt
	@$(BIN)/python manage.py build_offline

test: ## everything that can be tested here; says at its end what was left out
	@echo "== 1 of 4: style, types, import rules, templates, migrations"
	@$(MAKE) --no-print-directory lint
	@echo "== 2 of 4: what phones need without signal"
	@$(MAKE) --no-print-directory offline || echo "Continuing without it."
	@echo "== 3 of 4: all tests, on SQLite"
	@$(PYTEST_AT_ONCE)
	@echo "== 4 of 4: on PostgreSQL, the tests whose statements differ there"
	@if $(BIN)/python -m tests.services postgres; then TEST_DATABASE=postgres $(PYTEST_AT_ONCE) tests/scorekeeper; fi
	@$(BIN)/python -m tests.services

test-fast: $(DEV_TOOLS) ## unit tests, property tests and pages, on SQLite: for daily work
	@$(PYTEST_AT_ONCE) -m "not program and not redis" tests/games tests/scorekeeper

check: lint ## read the code, and test what holds for all of it: settings, deployment, documents
	$(PYTEST) tests/architecture

lint: $(DEV_TOOLS) ## read the code: style, types, import rules, templates, migrations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --config-file= --strict games
	$(BIN)/mypy config scorekeeper tests
	$(BIN)/lint-imports
	$(BIN)/djlint --quiet --lint templates games
	$(BIN)/python manage.py makemigrations --check --dry-run

format: $(DEV_TOOLS) ## put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(BENCH_TOOLS) ## measure every figure against its goal, into docs/performance.md (BENCH="big_event ..." for some)
	$(BIN)/python -m benchmarks $(BENCH)

faults: $(DEV_TOOLS) ## the tests of faults in their full length, into docs/reliability.md
	FAULTS=full $(PYTEST) -m "figure and not security" tests/faults tests/scorekeeper tests/browser/phone

security: $(DEV_TOOLS) ## the tests of security in their full length, into docs/reliability.md (some three hours)
	FAULTS=full $(PYTEST) -m security tests/scorekeeper tests/browser

audit: $(DEV_TOOLS) ## compare what is pinned with known advisories, without a network (ADVISORIES=FOLDER for newer ones)
	$(BIN)/python -m tests.audit $(ADVISORIES)

mutants: $(DEV_TOOLS) ## break the code on purpose in two dozen places, and see that the tests notice (some 20 minutes)
	$(BIN)/python -m tests.mutants

# Good for every patch release of Python 3.11 and for all systems; needs uv (https://docs.astral.sh/uv/) in the PATH.
LOCK := uv pip compile --quiet --universal --python-version 3.11.2 --generate-hashes --no-emit-index-url --custom-compile-command "make lock"
lock: ## fix the versions anew after a change in requirements/*.in
	cd requirements && $(LOCK) base.in -o base.txt && $(LOCK) dev.in -o dev.txt && $(LOCK) node.in -o node.txt

screenshots: $(DEV_TOOLS) ## take the README's pictures anew from the demo (needs Chromium)
	$(BIN)/python -m tests.browser.screenshots

clean: ## delete what was installed and built; the data in var/ stay
	rm -rf .venv node_modules built .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
