# make help lists the targets.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
INSTALLED := $(VENV)/.installed
DEVELOPED := $(VENV)/.developed
COMMAND := $(VENV)/bin/rating-portal
MESSAGES := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/django.po))
PYTEST := $(PY) -m pytest
# Two processes suit a machine of two cores, and four a larger one: each reads all tests first. PYTEST_ARGS goes to pytest.
PARALLEL ?= $(shell test "$$(getconf _NPROCESSORS_ONLN)" -ge 4 && echo 4 || echo 2)
PYTEST_ARGS ?=

# Tests start many processes, which would compile the portal each time.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install setup run test check test-sqlite test-postgresql test-machine test-next fuzz corpus clients lint format bench lock messages audit sbom licences env-example faults dist release

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 18

install: $(INSTALLED) $(COMMAND) $(MESSAGES) ## make .venv with what the portal needs to run (requirements.lock), and compile the translations

setup: $(DEVELOPED) $(COMMAND) $(MESSAGES) ## the same, with what tests and tools need (requirements-dev.lock)

PIP_INSTALL = $(PY) -m pip install --quiet --disable-pip-version-check --require-hashes --requirement

$(INSTALLED): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "Python 3.11 or later is needed: make $(MAKECMDGOALS) PYTHON=python3.11"; exit 1; }
	@test -x $(PY) || $(PYTHON) -m venv $(VENV)
	@$(PIP_INSTALL) requirements.lock
	@touch $@

# What a wheel's entry point is: the portal's command, in any folder.
$(COMMAND): $(INSTALLED)
	@printf '%s\n' '#!$(CURDIR)/$(PY)' 'import sys' 'sys.path[0] = "$(CURDIR)"' \
	    'from portal.__main__ import main' 'main()' > $@
	@chmod 0755 $@

$(DEVELOPED): requirements-dev.lock $(INSTALLED)
	@$(PIP_INSTALL) requirements-dev.lock
	@touch $@

%.mo: %.po $(INSTALLED)
	@$(PY) -m babel.messages.frontend --quiet compile --input-file $< --output-file $@ --locale $(notdir $(patsubst %/,%,$(dir $(patsubst %/,%,$(dir $<)))))

messages: setup ## write the texts of code and pages into the catalogues of the languages (needs GNU gettext)
	$(PY) manage.py makemessages --all --no-wrap --no-location --no-obsolete --ignore '.venv*' --ignore build --ignore tests --ignore benchmarks

run: install ## run the portal here, with demonstration data on the first start (PORT=8000)
	@PORTAL_DEMO="$${PORTAL_DEMO:-1}" exec $(COMMAND)

# Neighbours in a module share its rows: idle processes take whole stretches of tests from busy ones.
SPREAD := -n $(PARALLEL) --dist worksteal

# Each run waits for processes and browsers while the other one works: with two cores three test processes on SQLite, and
# one on PostgreSQL, which has fewer tests. What PostgreSQL's prints follows at the end.
test: setup ## run all tests, on SQLite and beside it on PostgreSQL with Redis (12 to 25 minutes on two cores)
	@mkdir -p .pytest_cache; failed=0; said=.pytest_cache/postgresql.txt; \
	$(MAKE) --no-print-directory test-postgresql PARALLEL=$$((($(PARALLEL) + 1) / 2)) > $$said 2>&1 & beside=$$!; \
	trap 'kill -- $$(pgrep -P $$beside) $$beside 2> /dev/null; exit 130' INT TERM; \
	$(MAKE) --no-print-directory test-sqlite PARALLEL=$$(($(PARALLEL) * 3 / 2)) || failed=1; \
	wait $$beside || failed=1; \
	cat $$said; \
	$(PY) -m tests.notices; \
	exit $$failed

check: setup ## run the quick tests, on SQLite
	TEST_ON=sqlite TEST_RUN=check $(PYTEST) $(SPREAD) $(PYTEST_ARGS)

test-sqlite: setup ## run all tests on the embedded portal
	TEST_ON=sqlite TEST_RUN=sqlite $(PYTEST) $(SPREAD) $(PYTEST_ARGS)

test-postgresql: setup ## run the tests that can fail on PostgreSQL and Redis alone
	TEST_ON=postgresql TEST_RUN=postgresql $(PYTEST) $(SPREAD) $(PYTEST_ARGS)

test-machine: setup ## run what needs root, systemd, a file system of its own, nginx, npm or other programs; say what could not run
	@failed=0; \
	TEST_ON=sqlite TEST_RUN=machine $(PYTEST) -p tests.notices $(PYTEST_ARGS) || failed=1; \
	TEST_ON=postgresql TEST_RUN=machine $(PYTEST) -p tests.notices $(PYTEST_ARGS) \
	    tests/faults/test_disk.py tests/faults/test_intake.py tests/faults/test_mounted_disks.py || failed=1; \
	exit $$failed

# Django 6 needs Python 3.12. What the lock names is not what is installed here, so that the tests of the lock are left out.
NEXT := $(VENV)-next
NEXT_PYTHON ?= $(or $(shell for name in python3.14 python3.13 python3.12; do $$name -c "" 2>/dev/null && echo $$name && break; done),$(PYTHON))
test-next: $(MESSAGES) ## run all tests on SQLite with the newest libraries that pyproject.toml allows (NEXT_PYTHON=python3.13)
	@$(NEXT_PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 12))' \
	    || { echo "Python 3.12 or later is needed: make test-next NEXT_PYTHON=python3.13"; exit 1; }
	@test -x $(NEXT)/bin/python || $(NEXT_PYTHON) -m venv $(NEXT)
	@$(NEXT)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade --upgrade-strategy eager --editable '.[dev,s3,sentry,opentelemetry]'
	TEST_ON=sqlite TEST_RUN=sqlite $(NEXT)/bin/python -m pytest $(SPREAD) --ignore tests/tools/test_dependencies.py --ignore tests/tools/test_release.py $(PYTEST_ARGS)

fuzz: setup ## mutate reports and compare invented federations for a long time
	TRF_MUTATIONS=200000 ORACLE_FEDERATIONS=5000 COMMAND_STEPS=2000 CANCELLED_WORLDS=100 LEDGER_WORLDS=200 VERIFIED_FEDERATIONS=50 $(PYTEST) -n $(PARALLEL) \
		tests/tournaments/trf tests/ratings/systems/test_oracle.py tests/arenas/test_games.py \
		tests/ratings/test_command_fuzz.py tests/ratings/test_oracle_through_services.py \
		tests/ratings/test_provisional.py tests/ratings/ledger/test_worlds.py tests/tools/test_verify_list.py
	EXAMPLES=fuzz $(PYTEST) -p hypothesispytest -n $(PARALLEL) -m hypothesis

# openapi-generator has an environment of its own: the portal does not need it.
CLIENTS := $(VENV)-clients
clients: setup ## check docs/openapi.yaml with linters, call every operation by generated clients (needs Node.js and Java)
	@test -x $(CLIENTS)/bin/openapi-generator-cli || { $(PYTHON) -m venv $(CLIENTS) && $(CLIENTS)/bin/pip install --quiet openapi-generator-cli==7.26.0; }
	@$(PYTHON) tools/check_api_clients.py
	@PATH="$(abspath $(CLIENTS))/bin:$$PATH" REQUIRE_CLIENTS=1 TEST_ON=sqlite $(PYTEST) -n $(PARALLEL) $(PYTEST_ARGS) \
	    tests/api/test_generated_client.py tests/api/test_openapi_generator.py tests/api/test_typescript_clients.py

DIR ?= ../shared/data/trf
corpus: setup ## read all reports in a folder, and compare with a second reader (DIR=FOLDER)
	@$(PY) -m tests.tournaments.trf.corpus $(DIR)

faults: setup ## kill, cut, fill and set back many times over what `make test` breaks a few times; then everything at once for five minutes
	FAULT_ROUNDS=$${FAULT_ROUNDS:-30} TEST_ON=sqlite $(PYTEST) tests/faults
	FAULT_ROUNDS=$${FAULT_ROUNDS:-30} TEST_ON=postgresql $(PYTEST) tests/faults
	$(PY) -m tests.faults.mixed_load

lint: setup ## check style, types, declared libraries and their licences, the direction of imports and missing migrations
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(VENV)/bin/deptry --no-ansi .
	$(VENV)/bin/deptry --no-ansi . --exclude '^\.venv|^(build|dist|var)/' --ignore DEP002,DEP004
	@$(MAKE) --no-print-directory licences > /dev/null
	$(PY) -m mypy
	$(VENV)/bin/lint-imports
	$(PY) manage.py makemigrations --check --dry-run

format: setup ## correct the style
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench: setup ## measure a month of rating, the pages, and a publication day with readers (BENCH="--sizes 1 --on postgresql")
	$(PY) -m benchmarks $(BENCH)
	$(PY) -m benchmarks.rush

audit: setup ## check the libraries in requirements.lock for known vulnerabilities
	$(VENV)/bin/pip-audit --requirement requirements.lock --disable-pip --require-hashes --strict --progress-spinner off

sbom: $(DEVELOPED) ## write var/sbom.json: every library of requirements.lock with its hashes (CycloneDX)
	@mkdir -p var
	@$(VENV)/bin/cyclonedx-py requirements requirements.lock --output-reproducible --no-validate --of JSON --output-file var/sbom.json

licences: $(DEVELOPED) ## list the licences of the libraries in requirements.lock; fail if one is not compatible with the portal's
	@$(VENV)/bin/pip-licenses --packages $$(sed -n 's/^\([^ =]*\)==.*/\1/p' requirements.lock)

env-example: setup ## write .env.example from portal/environment.py
	$(PY) -m portal.environment

UV := $(VENV)/bin/uv
dist: sbom ## write dist/ from the commit: source, wheel, locked libraries, bill of materials, checksums
	@set -e; version=$$($(UV) version --short); name=rating-portal-$$version; rm -rf dist; mkdir dist; \
	git archive --prefix $$name/ --output dist/$$name.tar.gz HEAD; \
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(PY) -m pip wheel --quiet --no-deps --no-build-isolation --no-index \
	    --wheel-dir dist dist/$$name.tar.gz; \
	cp requirements.lock var/sbom.json dist; cd dist; sha256sum * > SHA256SUMS

# Lines of the changelog's second section, which is the first one that has a version.
NOTES = awk '/^\#\# /{part++; next} part == 2' CHANGELOG.md
release: $(DEVELOPED) ## give what is unreleased its version, changelog section, tag and files in dist/, then begin the next version
	@set -e; test -z "$$(git status --porcelain)" || { echo "There are changes that are not committed." >&2; exit 1; }; \
	version=$$($(UV) version --short); release=$${version%.dev0}; \
	test "$$release" != "$$version" || { echo "The version $$version in pyproject.toml does not end in .dev0." >&2; exit 1; }; \
	! git rev-parse --quiet --verify "refs/tags/v$$release" > /dev/null || { echo "The tag v$$release exists." >&2; exit 1; }; \
	$(UV) version --quiet --frozen "$$release"; \
	sed -i "s/^## Unreleased$$/## Unreleased\n\n## $$release ($$(date -u +%F))/" CHANGELOG.md; \
	test -n "$$($(NOTES))" || { echo "CHANGELOG.md says nothing of what is unreleased." >&2; git checkout --quiet .; exit 1; }; \
	git commit --quiet --all --message "Release $$release"; \
	{ printf 'Release %s\n' "$$release"; $(NOTES); } | git tag --annotate --cleanup verbatim --file - "v$$release"; \
	$(MAKE) --no-print-directory dist; \
	$(UV) version --quiet --frozen --bump minor --bump dev=0; \
	git commit --quiet --all --message "Begin $$($(UV) version --short)"; \
	echo "v$$release is in dist/. Publish it: git push --atomic origin HEAD v$$release"

# The newest versions that pyproject.toml allows: make lock UPGRADE=--upgrade, or UPGRADE="--upgrade-package NAME".
LOCK = $(UV) pip compile --quiet $(UPGRADE) --python-version 3.11 --generate-hashes --no-header --no-annotate
lock: | $(UV) ## write both locks from pyproject.toml (UPGRADE=--upgrade: with the newest versions that it allows)
	@$(LOCK) --extra s3 --extra sentry --extra opentelemetry --output-file requirements.lock pyproject.toml > /dev/null
	@$(LOCK) --all-extras --constraint requirements.lock --output-file requirements-dev.lock \
	    $$(sed -n 's/^\([^ =]*\)==.*/--no-emit-package \1/p' requirements.lock) pyproject.toml > /dev/null

$(UV):
	@$(MAKE) --no-print-directory setup
