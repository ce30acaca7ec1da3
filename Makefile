# Each target sets up its own virtual environment from a hashed lock; only Python 3.11+ and make are needed. `make lock`,
# which makes the locks, is the exception: it takes the newest uv.
.DELETE_ON_ERROR:
.PHONY: play test texts compiled test-compiled lint audit coverage mutation docs bench soak sim test-browser soak-browser \
	lock clean

SEATS ?= 4
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)
# The simulation needs Python 3.12+. It is looked for in the usual places, too, as python3 can be an older one.
SIM_PYTHON ?= $(shell for p in $(PYTHON) python3.12 python3.13 python3.14 $(wildcard $(HOME)/.pyenv/versions/3.1[2-9]*/bin/python3); do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 12))' >/dev/null 2>&1 && { echo $$p; break; }; done)

play: .venv/.ready
	.venv/bin/harbormaster play --seats $(SEATS) $(if $(PORT),--port $(PORT))

# Where Python is older than 3.12, the tests of the simulation have an environment of their own, if one can be made.
simulated = @.venv/bin/python -c 'import simloom' 2>/dev/null || if [ -n "$(SIM_PYTHON)" ] && $(MAKE) .venv-sim/.ready; \
	then .venv-sim/bin/python -m pytest $(1) tests/sim; else echo "No Python 3.12+: the simulation is left out."; fi

test: .venv/.ready
	.venv/bin/python -m pytest
	$(call simulated)

# What every action runs through as native modules, in an environment of its own; this needs a C compiler.
compiled: .venv-compiled/.ready
	rm -rf build
	HARBORMASTER_COMPILED=1 .venv-compiled/bin/python -m pip install --quiet --disable-pip-version-check \
		--no-deps --no-build-isolation --force-reinstall .
	rm -rf build *.egg-info
	.venv-compiled/bin/harbormaster --version

test-compiled: compiled
	PYTHONSAFEPATH=1 .venv-compiled/bin/python -m pytest --override-ini=pythonpath=

lint: .venv/.ready
	.venv/bin/ruff format --check
	.venv/bin/ruff check
	.venv/bin/lint-imports --no-logo --no-cache
	.venv/bin/mypy

# Known security holes in what the locks pin. It asks a database on the network; without one it says so and ends well.
audit: .venv-audit/.ready
	.venv-audit/bin/python tools/audit.py $(wildcard requirements*.lock)

coverage: .venv/.ready
	.venv/bin/python -m pytest --cov --cov-report=term --cov-report=html

# How many of a sample of planted faults the tests find, in copies outside of this folder. It goes on where it stopped.
mutation: .venv-mutation/.ready
	nice .venv-mutation/bin/python -m tools.mutation $(if $(SAMPLE),--sample $(SAMPLE)) $(ARGS)

soak: .venv/.ready
	.venv/bin/python -m pytest -m "soak and not browser" $(ARGS)
	$(call simulated,-m soak)

# Discord, the network, disks, processes and people from seeds (docs/simulation.md): make sim ARGS="--seed 17 --log"
sim: .venv-sim/.ready
	.venv-sim/bin/python -m tests.sim $(ARGS)

test-browser: .venv-browser/.ready
	.venv-browser/bin/python -m pytest -n0 -m "browser and not soak" $(ARGS)

soak-browser: .venv-browser/.ready
	.venv-browser/bin/python -m pytest -n0 -m "browser and soak" $(ARGS)

# The messages of the source, and all languages brought up to date with them (docs/translating.md).
texts: .venv/.ready
	.venv/bin/python tools/texts.py

docs: .venv-browser/.ready
	.venv-browser/bin/python -m docs.draw
	.venv-browser/bin/python -m docs.portal
	.venv-browser/bin/python -m docs.shots
	.venv-browser/bin/python -m docs.film

bench: .venv-bench/.ready compiled
	.venv-bench/bin/python -m bench
	.venv-compiled/bin/python -P -m bench.strength
	$(if $(CATANATRON),$(foreach ours,hard expert,$(foreach theirs,value alphabeta,\
		.venv-bench/bin/python -m bench.catanatron_table --catanatron $(CATANATRON) --ours $(ours) --theirs $(theirs) \
		--games $(if $(filter value,$(theirs)),400,200) --processes 2;)))

.venv/.ready .venv-compiled/.ready .venv-sim/.ready: requirements.lock
.venv-browser/.ready: requirements-browser.lock
.venv-bench/.ready: requirements-bench.lock
.venv-mutation/.ready: requirements-mutation.lock
.venv-audit/.ready: requirements-audit.lock

# The tests need the rest of this folder, but the modules of the compiled environment come first.
.venv-compiled/.ready: pyproject.toml
	$(INSTALL)
	pwd > $$(echo .venv-compiled/lib/python3*/site-packages)/zz_folder.pth
	@touch $@

.venv-audit/.ready:
	$(INSTALL)
	@touch $@

%/.ready: pyproject.toml
	$(INSTALL)
	$*/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv-sim/.ready: PYTHON := $(SIM_PYTHON)
.venv-sim/.ready: pyproject.toml
	@test -n "$(SIM_PYTHON)" || { echo "The simulation needs Python 3.12 or newer; install it, or name it: make sim SIM_PYTHON=/path/to/python3" >&2; exit 1; }
	$(INSTALL)
	.venv-sim/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

define INSTALL
	@test -n "$(PYTHON)" || { echo "Harbormaster needs Python 3.11 or newer; install it, or name it: make PYTHON=/path/to/python3 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(filter %.lock,$^)
endef

# New versions of everything: one lock for Python 3.11 to 3.14 on every platform. The others only add to it, but for the
# one with what a bot on Discord needs and no more, which is a part of it.
COMPILE = .venv-lock/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-header --no-emit-index-url --no-emit-find-links --no-strip-extras
lock:
	@test -n "$(PYTHON)" || { echo "Harbormaster needs Python 3.11 or newer." >&2; exit 1; }
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet uv
	$(COMPILE) pyproject.toml --extra play --extra dev --output-file requirements.lock
	$(COMPILE) pyproject.toml --extra run --constraints requirements.lock --output-file requirements-run.lock
	$(COMPILE) pyproject.toml --extra play --extra dev --extra browser --constraints requirements.lock --output-file requirements-browser.lock
	$(COMPILE) pyproject.toml --extra play --extra dev --extra bench --constraints requirements.lock --output-file requirements-bench.lock
	$(COMPILE) pyproject.toml --extra play --extra dev --extra mutation --constraints requirements.lock --output-file requirements-mutation.lock
	$(COMPILE) --group audit --output-file requirements-audit.lock

clean:
	rm -rf .venv .venv-* build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
