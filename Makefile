# Every target sets up .venv by itself and does nothing twice. PYTHON=... picks another interpreter.
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# One more than there are cores: nodes and terminals often wait.
PARALLEL := -n $$(expr $$(getconf _NPROCESSORS_ONLN) + 1) --dist worksteal
# The library's own tests must cover it; the others need no tracing, which would take a third of their time.
LIBRARY := tests/protocol tests/examples tests/ballots

# What tells most for its time: rules, proofs, attacks, bots, what screens show; and nodes that play one game.
QUICK := tests/rules tests/protocol tests/table/test_attacks_*.py tests/gathering tests/bots tests/seat tests/fronts/lines \
	tests/fronts/tui/test_screens.py tests/test_*.py \
	tests/node/test_runner.py::test_nodes_that_know_one_address_meet_gather_and_play_a_game_to_the_same_end

# Nodes are processes: each would compile the whole program as it starts, which takes longer than loading it.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play demo quick test soak cases flood fuzz lint bench pictures fmt clean

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

# Whole games on a virtual LAN with everything that may go wrong (docs/robustness.md); SEED=N plays those of seeds from N on. It needs root.
GAMES := 50
soak: $(READY)
	@$(BIN)/python -m tests.soak $(GAMES) $(SEED)

# Of what there is very much of, all; CASES=100 tries at most so many of each.
CASES := all
cases: $(READY)
	CASES=$(CASES) $(BIN)/python -m pytest $(PARALLEL) -m "soak or hypothesis"

# Strangers attack a node in a game, each in another way: how long the game takes, against one in peace. It needs root, for a virtual LAN.
flood: $(READY)
	@$(BIN)/python -m tests.node.flood

# A fuzzer that is guided by what its inputs reach tries all that arrives from outside, each target for so many seconds.
SECONDS := 60
fuzz: $(READY)
	@$(BIN)/python -m pip install --quiet --group fuzz
	@for target in $$($(BIN)/python -m tests.fuzz); do $(BIN)/python -m tests.fuzz $$target $(SECONDS) || exit 1; done

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
