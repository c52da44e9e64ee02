# Every target sets up .venv by itself and does nothing twice. PYTHON=... picks another interpreter.
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# One more than there are cores: nodes and terminals often wait.
PARALLEL := -n $$(expr $$(getconf _NPROCESSORS_ONLN) + 1) --dist worksteal
# The library's own tests must cover it; the others need no tracing, which would take a third of their time.
LIBRARY := tests/protocol tests/examples

# What tells most for its time: rules, proofs, attacks, bots, what screens show; and nodes that play one game.
QUICK := tests/rules tests/protocol tests/table/test_attacks_*.py tests/gathering tests/bots tests/seat tests/fronts/lines \
	tests/fronts/tui/test_screens.py tests/test_*.py \
	tests/node/test_runner.py::test_nodes_that_know_one_address_meet_gather_and_play_a_game_to_the_same_end

.PHONY: play demo quick test soak lint bench pictures fmt clean

play: $(READY)
	@$(BIN)/p2p-sheriff play $(ARGS)

demo: $(READY)
	@$(BIN)/p2p-sheriff demo --players 5 --pace 0

quick: lint
	$(BIN)/python -m pytest $(PARALLEL) $(QUICK) -m "not slow and not soak"

test: lint
	$(BIN)/python -m pytest $(PARALLEL) $(LIBRARY) --cov --cov-report=
	$(BIN)/coverage report --fail-under=99
	$(BIN)/python -m pytest $(PARALLEL) $(LIBRARY:%=--ignore=%)

# CASES=100 tries at most so many of each.
CASES := all
soak: $(READY)
	CASES=$(CASES) $(BIN)/python -m pytest $(PARALLEL) -m "soak or hypothesis"

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	@$(BIN)/p2p-sheriff bench

pictures: $(READY)
	$(BIN)/python -m tests.fronts.tui.pictures

fmt: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) build *.egg-info .coverage .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

$(READY): pyproject.toml
	@python="$$(sh .ci/find-python $(PYTHON))" && echo "Setting up $(VENV) with $$python" && "$$python" -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@
