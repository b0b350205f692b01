# Tailgunner: `make run` serves it, `make test` tests it, `make help` lists all targets.
# Everything is in .venv (code) and var/ (data); delete both to start from scratch.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
export HOST PORT
# With this variable every process of a test run would compile all modules and tests again.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install --require-hashes
PYTEST := $(BIN)/pytest
# The tests of a file run in one process.
PYTEST_AT_ONCE := $(PYTEST) --numprocesses=auto --maxprocesses=4 --dist=loadfile
# Runs tests at once, and what failed then once more, alone, with nothing else on the machine (docs/decisions/0016).
define AT_ONCE_OR_ALONE
@$(PYTEST_AT_ONCE) $(1) || { echo "Once more, alone: what failed beside other tests. What passes only now is a defect too: mend it."; \
	$(PYTEST) --verbose --last-failed --last-failed-no-failures=none $(1); }
endef
DEV_TOOLS := .venv/.dev-installed
BASE_TOOLS := .venv/.base-installed
BENCH_TOOLS := .venv/.bench-installed

.DEFAULT_GOAL := help
.PHONY: help setup run serve offline test test-all check lint lint-scripts test-scripts translations format bench faults hosting security audit sbom models api-fuzz mutants lock screenshots clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:[^#]*## /\t/' | expand -t 12

setup: $(DEV_TOOLS) ## create .venv with everything needed to build and test
	@:

.venv/bin/python:
	@command -v git >/dev/null || { echo "git is missing. On Debian or Ubuntu: sudo apt install git"; exit 1; }
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is missing. On Debian or Ubuntu: sudo apt install python3 python3-venv; elsewhere: https://www.python.org/downloads/"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed, $(PYTHON) is" `$(PYTHON) -V`". Name another one: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv module is missing. On Debian or Ubuntu: sudo apt install python3-venv"; exit 1; }
	@echo "Creating .venv ..."
	@$(PYTHON) -m venv .venv

# dev.txt contains everything in base.txt, in the same versions, so installing it is enough.
$(BASE_TOOLS): requirements/base.txt | .venv/bin/python
	@echo "Installing what Tailgunner needs to run ..."
	@$(PIP) -r requirements/base.txt
	@touch $@

$(DEV_TOOLS): requirements/base.txt requirements/dev.txt | .venv/bin/python
	@echo "Installing what is needed to build and test ..."
	@$(PIP) -r requirements/dev.txt
	@touch $(BASE_TOOLS) $@

# Packages that the benchmarks compare with; they are pinned, and nothing else needs them.
$(BENCH_TOOLS): requirements/bench.in $(DEV_TOOLS)
	@$(BIN)/python -m pip --disable-pip-version-check --quiet install -r requirements/bench.in
	@touch $@

run: $(BASE_TOOLS) ## try Tailgunner: serve it with the demo on http://127.0.0.1:8000/ (HOST=0.0.0.0 for the network, PORT=..., TLS=1 for HTTPS, DEMO=0 for none)
	@$(MAKE) --no-print-directory offline || echo "Starting anyway; crew phones need signal until make offline succeeds."
	@$(BIN)/python manage.py migrate --verbosity 0
	@exec $(BIN)/python manage.py serve $(if $(filter 0,$(DEMO)),,--demo) --host $(HOST) --port $(PORT) $(if $(TLS),--tls)

serve: ## serve Tailgunner without the demo, for events of your own (HOST, PORT and TLS as for run)
	@$(MAKE) --no-print-directory run DEMO=0

offline: $(BASE_TOOLS) ## build what phones need without signal, unless it is up to date (installs Node if there is none)
	@$(BIN)/python -m tools.phone_engine.node || $(PIP) -r requirements/node.txt
	@$(BIN)/python -m tools.phone_engine $(FAST)

test: $(DEV_TOOLS) ## the checks that every change runs, in some five minutes: style, types, quick tests, a walk through the main job
	@echo "== 1 of 3: style, types, import rules, templates, scripts, style sheets, migrations"
	@$(MAKE) --no-print-directory lint
	@echo "== 2 of 3: quick tests: scripts in Node, all others on SQLite"
	@$(MAKE) --no-print-directory test-scripts
	@$(PYTEST_AT_ONCE) -m quick tests/games tests/architecture tests/scorekeeper
	@echo "== 3 of 3: a ride in the browser: a phone joins, records a turn, the leaderboard shows it"
	@$(PYTEST) -m smoke tests/browser/test_smoke.py
	@echo "Left to make test-all: slow tests, programs, Redis, the phone's engine, browsers and phones, faults, clusters, older data, PostgreSQL."

test-all: $(DEV_TOOLS) ## everything that make test leaves out; run both before you send a change
	@echo "== 1 of 5: what phones need without signal"
	@$(MAKE) --no-print-directory offline FAST=--fast || echo "Continuing without it."
	@echo "== 2 of 5: slow tests, programs, the phone's engine, older data"
	$(call AT_ONCE_OR_ALONE,-m "not quick and not redis and not cluster and not hosting" --ignore=tests/browser)
	@echo "== 3 of 5: one after the other, since they share a Redis or a cluster: Redis, many processes, faults"
	@$(PYTEST) -m "not quick and (redis or cluster)"
	@echo "== 4 of 5: browsers and phones"
	$(call AT_ONCE_OR_ALONE,-m "not quick" tests/browser)
	@echo "== 5 of 5: what depends on the database, on PostgreSQL"
	@if $(BIN)/python -m tests.services postgres; then TEST_DATABASE=postgres $(PYTEST_AT_ONCE) -m "database or postgres" tests/scorekeeper; fi
	@$(BIN)/python -m tests.services

check: lint ## lint, and run the tests about the whole project: settings, deployment, documents
	$(PYTEST) tests/architecture

lint: $(DEV_TOOLS) ## check style, types, import rules, templates, migrations, scripts and style sheets
	$(BIN)/mypy --config-file= --strict --cache-dir=.mypy_cache/games games
	$(BIN)/mypy config scorekeeper tools tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/djlint --quiet --lint templates games
	$(BIN)/python manage.py makemigrations --check --dry-run
	@$(MAKE) --no-print-directory lint-scripts

lint-scripts: $(DEV_TOOLS) ## check our JavaScript and style sheets: ESLint, types (tsc), Stylelint
	@$(BIN)/python -m tests.script_checks lint

test-scripts: $(DEV_TOOLS) ## unit tests of our JavaScript, in Node
	@$(BIN)/python -m tests.script_checks test

format: $(DEV_TOOLS) ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(BENCH_TOOLS) ## for releases: measure every figure against its goal, and update docs/performance.md (BENCH="big_event ..." runs some)
	$(BIN)/python -m benchmarks $(BENCH)

faults: $(DEV_TOOLS) ## for releases: run the fault tests at full length, and update docs/reliability.md (PART="programs ..." runs some parts)
	@$(BIN)/python -m tests.parts faults $(PART)

security: $(DEV_TOOLS) ## for releases: run the security tests at full length, and update docs/reliability.md (PART="injections ..." runs some parts)
	@$(BIN)/python -m tests.parts security $(PART)

audit: $(DEV_TOOLS) ## compare every pinned version with the recorded advisories, without a network (ADVISORIES=FOLDER SOURCE=NAME for newer ones)
	$(BIN)/python -m tests.audit $(ADVISORIES) $(SOURCE)

sbom: $(DEV_TOOLS) ## write the software bill of materials, in the CycloneDX format, to built/sbom.cdx.json
	@$(BIN)/python -m tools.sbom

models: $(BASE_TOOLS) ## write docs/models.md, the diagram of all models, from the code
	@$(BIN)/python -m tools.model_diagram

api-fuzz: $(DEV_TOOLS) ## send 20,000 requests made from the API's schema, and check every answer (API_FUZZ_CASES=...)
	API_FUZZ_CASES=$${API_FUZZ_CASES:-20000} $(PYTEST) --capture=no -p no:logging tests/scorekeeper/api/test_schemathesis.py

mutants: $(DEV_TOOLS) ## for releases: break the code on purpose in two dozen places, and check that tests fail (about 20 minutes)
	$(BIN)/python -m tests.mutants

# The mounts are in a namespace of their own, so they end with the tests; and nothing in this folder becomes root's.
AS_ROOT = $(if $(filter 0,$(shell id -u)),,sudo --preserve-env)
hosting: $(DEV_TOOLS) ## follow docs/hosting.md and the image's steps on a new Debian in memory (needs root; a few minutes)
	@$(MAKE) --no-print-directory offline
	@if $(BIN)/python -m tests.services hosting; then \
		$(AS_ROOT) env PYTHONDONTWRITEBYTECODE=1 unshare --mount $(PYTEST) -p no:cacheprovider -m hosting tests/hosting; \
	else $(BIN)/python -m tests.services; exit 1; fi

# Valid for every patch release of Python 3.11 and for all systems; needs uv (https://docs.astral.sh/uv/) in the PATH.
LOCK := uv pip compile --quiet --universal --python-version 3.11.2 --generate-hashes --no-emit-index-url --custom-compile-command "make lock"
lock: ## pin the versions again after a change in requirements/*.in
	cd requirements && $(LOCK) base.in -o base.txt && $(LOCK) dev.in -o dev.txt && $(LOCK) node.in -o node.txt

translations: $(DEV_TOOLS) ## bring the catalogues in locale/ and games/ up to date with the texts, check and compile them (LANGUAGES=it adds a language)
	$(BIN)/python -m tools.translations $(LANGUAGES)

screenshots: $(DEV_TOOLS) ## take the README's screenshots again from the demo (needs Chromium)
	$(BIN)/python -m tests.browser.screenshots

clean: ## delete everything that was installed or built; keeps the data in var/
	rm -rf .venv node_modules built .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
