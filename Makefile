# Every target first makes what it needs: a virtual environment in .venv with this program installed.

# Prefer the system's Python if it is new enough: builds of distributions are profile-guided, and a tenth faster.
python ?= $(shell for each in /usr/bin/python3 python3; do \
	$$each -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null && break; done; echo $$each)
bin := .venv/bin

# Let Python write its compiled files, whatever the environment says: the tests start many processes.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: play test test-pythons test-textual-range lint format campaign long bench book accuracies mnk-sizes smallest courses gallery pictures dist clean

play: .venv/installed
	@$(bin)/noughts

# One core compiles the kernels while the other runs the linters. Then three workers share two cores, since tests of the
# app often wait; a fourth would cost ten seconds.
test: .venv/installed-dev
	@PYTHONPATH=. $(bin)/python tests/warm_up.py & $(MAKE) --no-print-directory lint .venv/collected && wait
	$(bin)/pytest -n 3 --dist worksteal

# Collect the tests the first time, which compiles the test modules for all workers.
.venv/collected: .venv/installed-dev
	@$(bin)/pytest --collect-only > /dev/null || true
	@touch $@

# Test the app with the oldest and the newest Textual of the range in pyproject.toml, each in an environment of its own.
# Pictures are compared with one version only, so they are left out.
test-textual-range: .venv-textual-oldest/installed .venv-textual-newest/installed
	@for each in oldest newest; do \
		.venv-textual-$$each/bin/python -c 'import textual; print("Textual", textual.__version__)' && \
		.venv-textual-$$each/bin/pytest -n 4 --dist worksteal -m "not campaign" --ignore tests/tui/test_snapshots.py tests/tui || exit 1; \
	done

.venv-textual-oldest/installed: textual = $(shell sed -n 's/.*"textual>=\([0-9.]*\),.*/==\1/p' pyproject.toml)
.venv-textual-newest/installed: textual = $(shell sed -n 's/.*"textual\(>=[^"]*\)".*/\1/p' pyproject.toml)
.venv-textual-%/installed: pyproject.toml
	@echo "Installing Noughts with textual$(textual) into .venv-textual-$*: once, about a minute."
	@$(python) -m venv .venv-textual-$*
	@.venv-textual-$*/bin/python -m pip install --quiet --disable-pip-version-check --upgrade --editable '.[dev]' 'textual$(textual)'
	@touch $@

# Test with each further Python that is installed, here or by pyenv, in an environment of its own.
pythons ?= 3.12 3.13
test-pythons:
	@ran=; for each in $(pythons); do \
		found=; for candidate in python$$each "$$HOME"/.pyenv/versions/$$each.*/bin/python; do \
			"$$candidate" -c 'import ensurepip, sqlite3' 2> /dev/null && { found=$$candidate; break; }; done; \
		test -n "$$found" || { echo "Python $$each is not installed: not tested"; continue; }; \
		$(MAKE) --no-print-directory .venv-python$$each/installed python="$$found" && \
		PYTHONPATH=. .venv-python$$each/bin/python tests/warm_up.py && \
		.venv-python$$each/bin/pytest -n 3 --dist worksteal || exit 1; ran=1; \
	done; test -n "$$ran" || { echo "None of Python $(pythons) is installed: nothing was tested"; exit 1; }

.venv-python%/installed: pyproject.toml
	@echo "Installing Noughts and its tools into .venv-python$*: once, about a minute."
	@$(python) -m venv .venv-python$*
	@.venv-python$*/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

lint: .venv/installed-dev
	$(bin)/ruff check .
	$(bin)/ruff format --check .
	$(bin)/mypy
	$(bin)/lint-imports

format: .venv/installed-dev
	$(bin)/ruff check --fix .
	$(bin)/ruff format .

# Test the promises of docs/reliability.md, less than half an hour on two cores. Five workers share the cores, since
# programs in terminals often wait; each takes one test at a time. Two processes send `events` random events each:
# `make campaign events=50000` sends 100,000 instead of 4,000 and judges memory, which takes hours.
events ?= 2000
campaign: .venv/installed-dev
	$(bin)/pytest -m campaign -n 5 --maxschedchunk 1 --events $(events) tests/campaigns

# Run what `make test` leaves out to stay quick: further sizes, games and cases of the tests, and the rules, the search
# and the learners at full size against their oracles and the published figures.
long: .venv/installed-dev .venv-bench/installed
	$(bin)/pytest -m "long and not campaign" -n 3 --dist worksteal

# `make bench solver_peer=FOLDER` builds the Connect Four solver of P. Pons from his sources there, and compares.
bench: .venv/installed .venv-bench/installed
	@missed=0; \
	$(bin)/python bench/run.py --peers .venv-bench/bin/python || missed=1; \
	$(bin)/python bench/trees.py --peers .venv-bench/bin/python || missed=1; \
	$(bin)/python bench/evolution.py --peers .venv-bench/bin/python || missed=1; \
	$(bin)/python bench/exact_results.py --peers .venv-bench/bin/python || missed=1; \
	$(bin)/python bench/race.py || missed=1; \
	$(bin)/python bench/judging.py || missed=1; \
	$(bin)/python bench/solver.py $(if $(solver_peer),--peer $(solver_peer)) || missed=1; \
	$(bin)/python bench/sweep.py || missed=1; \
	$(bin)/python bench/start.py || missed=1; \
	$(bin)/python bench/event_loop.py || missed=1; \
	$(bin)/python bench/keys.py || missed=1; \
	exit $$missed

# Recount the sizes of games in engine/games/mnk_sizes.csv.
mnk-sizes: .venv/installed
	PYTHONPATH=. $(bin)/python bench/mnk_sizes.py

smallest: .venv/installed
	PYTHONPATH=. $(bin)/python bench/smallest.py $(seconds)

# Find the courses in learners/courses/found.jsonl that may be shorter; `make courses seconds=600` takes more time for each.
courses: .venv/installed
	PYTHONPATH=. $(bin)/python bench/courses.py $(seconds)

# Compute the book of Connect Four, which takes some hours; it can be interrupted, and goes on where it stopped.
book: .venv/installed
	PYTHONPATH=. $(bin)/python bench/connect_book.py

# Measure how often the players of Connect Four keep the value of known positions, a few minutes.
accuracies: .venv/installed
	PYTHONPATH=. $(bin)/python bench/accuracies.py

gallery: .venv/installed
	$(bin)/python bench/gallery.py

# Draw the pictures of the documentation from the app and from the code.
pictures: .venv/installed-dev
	$(bin)/python -m docs.draw_pictures
	$(bin)/python -m docs.draw_architecture

# Pack the program for others: a source archive and a wheel with the man pages, in dist/.
dist: .venv/installed-dev
	@$(bin)/python -m pip install --quiet --disable-pip-version-check build click-man hatchling
	PYTHONPATH=. $(bin)/python -m docs.man_pages man
	rm -rf dist
	$(bin)/python -m build

clean:
	rm -rf dist man .venv .venv-bench .venv-textual-oldest .venv-textual-newest .venv-python*

.venv/bin/python:
	@$(python) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Noughts needs Python 3.11 or newer: make play python=python3.12"; exit 1; }
	@$(python) -m venv .venv || { rm -rf .venv; echo "The Python module venv is missing: install it (on Debian: apt install python3-venv)."; exit 1; }

.venv/installed: .venv/bin/python pyproject.toml
	@echo "Installing Noughts into .venv: once, about a minute."
	@$(bin)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/installed-dev: .venv/bin/python pyproject.toml
	@echo "Installing Noughts and its tools into .venv: once, about a minute."
	@$(bin)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[dev]'
	@touch $@ .venv/installed

.venv-bench/installed: bench/peers.txt
	@echo "Installing the peers into .venv-bench: once, about a minute."
	@$(python) -m venv .venv-bench
	@.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --requirement bench/peers.txt
	@touch $@
