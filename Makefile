# Army Builder. `make run` serves the site, `make check` and `make test` run the tests; `make help` lists the rest.

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev run admin check test faults audit lint types golden examples docs docs-tables bench load

# The newest Python that is at least 3.11; another one by `make PYTHON=/path/to/python setup`.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$p; break; fi; done)
VENV := .venv
PY := $(VENV)/bin/python
# The linter of the site's scripts; Node is needed for nothing else.
ESLINT := eslint@9.39.1
# A browser for the tests; the first takes least of the machine.
CHROMIUM := $(shell command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome)
# One process more than cores for all tests, of which a third waits for servers and browsers.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# Tests to run and how, e.g. `make test TESTS="tests/accounts -x"`.
TESTS ?=
# `whole`: walks take all places and properties try more examples, as `.ci/run` asks for; else a share (tests/breadth.py).
BREADTH ?=
export TESTS BREADTH

# Bytecode is kept, or every run would compile all modules and rewrite all assertions anew.
unexport PYTHONDONTWRITEBYTECODE

help: ## show these targets
	@grep -E '^[a-z-]+:.*## ' Makefile | awk -F ':.*## ' '{printf "make %-10s %s\n", $$1, $$2}'

setup: $(VENV)/.runtime ## install the runtime packages into .venv (safe to repeat)
	@:

setup-dev: $(VENV)/.dev ## install the tools of tests, checks and benchmarks too
	@:

run: setup ## migrate, load the sample data and serve the site (HOST, PORT; stop with Ctrl-C)
	@exec $(PY) manage.py serve --prepare

admin: setup ## make an administrator
	@mkdir -p var
	@$(PY) manage.py migrate --verbosity 0
	@exec $(PY) manage.py createsuperuser

check: setup-dev ## style, types and the quick tests, in two minutes; run it before every commit
	@.ci/check

test: setup-dev ## run all tests on all cores, walks by a share (BREADTH=whole: everywhere); as root installs Chromium for the browser journeys
	@if [ -z "$(CHROMIUM)" ]; then \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			apt-get update -qq && export DEBIAN_FRONTEND=noninteractive && \
			{ apt-get install -y -qq --no-install-recommends chromium-headless-shell fonts-dejavu-core >/dev/null 2>&1 \
			|| apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null; } \
			|| echo "Chromium could not be installed: the browser tests will skip."; \
		else \
			echo "No Chromium found: the browser tests will skip. Remedy: sudo apt-get install chromium-headless-shell fonts-dejavu-core"; \
		fi; fi
	@command -v redis-server >/dev/null && ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 \
		|| echo "No PostgreSQL or Redis found: the tests marked 'services' will skip. Remedy: sudo apt-get install postgresql redis-server"
	@$(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(TESTS)

faults: setup-dev ## kill, fill, lock and take away what the site needs, with real processes; all faults, one after the other
	@$(PY) -m pytest -q tests/faults tests/operations tests/simulations/test_runs.py tests/simulations/test_workers.py \
		tests/simulations/test_worker_process.py tests/simulations/test_wake_ups.py \
		tests/test_database_patience.py tests/test_resilient_cache.py tests/test_slow_clients.py

audit: setup-dev ## known vulnerabilities of the packages (asks pypi.org), their licences, secrets in the sources
	@$(PY) -m pytest -q tests/operations/test_supply.py
	@$(PY) -m pip install --quiet --disable-pip-version-check pip-audit && $(PY) -m pip_audit --requirement requirements.txt --progress-spinner off

lint: setup-dev ## style of code, templates and scripts, imports between the rings, migrations
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/djhtml --tabwidth 2 --check templates
	@if command -v npx >/dev/null; then npx --yes --loglevel=error $(ESLINT) armybuilder; \
		else echo "No Node found: the scripts are not linted. Remedy: install Node 20 or newer with npm."; fi
	@$(VENV)/bin/hadolint deploy/Dockerfile
	@$(VENV)/bin/lint-imports
	@$(PY) manage.py makemigrations --check --dry-run

types: setup-dev ## mypy
	@$(VENV)/bin/mypy

golden: setup-dev ## rewrite the expected output files; look at the diff
	@REWRITE_GOLDEN=1 $(PY) -m pytest -q tests/api/test_description.py tests/armylists/test_exports.py \
		tests/armylists/test_rule_table.py

examples: setup-dev ## ask the API everything and keep the answers as examples of its description; then make golden
	@REWRITE_GOLDEN=1 $(PY) -m pytest -q tests/api/test_description.py -k golden_file
	@REWRITE_EXAMPLES=1 $(PY) -m pytest -q tests/api/test_examples.py -k server_answers

docs: $(VENV)/.docs ## build the pages under /docs/ into var/docs
	@rm -rf var/docs.new
	@$(PY) -m sphinx --quiet --fail-on-warning --keep-going -E -b dirhtml -d var/docs.new/.doctrees docs var/docs.new
	@rm -rf var/docs.new/.doctrees var/docs && mv var/docs.new var/docs
	@echo "Built into var/docs; a running site shows it under /docs/."

docs-tables: setup-dev ## rewrite the tables of special rules in the docs
	@$(PY) -m docs.special_rule_tables

bench: setup-dev ## measure the rows of the performance table, and write them to docs/performance.md
	@$(PY) -m bench

load: setup-dev ## simulated players on both stacks, percentiles by endpoint; e.g. LOAD="--players 50 --ballast", "--soak"
	@$(PY) -m bench.players $(LOAD)

# A stamp is written only after all went well, so an interrupted installation is taken up again.
$(VENV)/.runtime: requirements.txt
	@if [ -z "$(PYTHON)" ]; then echo "Python 3.11 or newer is needed and was not found."; exit 1; fi
	@if ! $(PY) -m pip --version >/dev/null 2>&1; then \
		if ! $(PYTHON) -c 'import venv, ensurepip' 2>/dev/null; then \
			echo "$(PYTHON) cannot make a virtual environment: its venv module is not installed."; \
			echo "Remedy (Debian, Ubuntu): sudo apt-get install python3-venv"; exit 1; fi; \
		$(PYTHON) -m venv --clear $(VENV); fi
	@$(PY) -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
	@mkdir -p var
	@touch $@

$(VENV)/.docs: $(VENV)/.runtime requirements-docs.txt
	@$(PY) -m pip install --quiet --disable-pip-version-check --requirement requirements-docs.txt
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime requirements-dev.txt requirements-docs.txt
	@$(PY) -m pip install --quiet --disable-pip-version-check --requirement requirements-dev.txt
	@touch $@
