# Thin: each target is one command. `make demo` first, `make test` next; tools/ holds what they call.
.PHONY: setup demo test test-long sim clocks-study start-skew until-study calibration check bench docs install
.DEFAULT_GOAL := setup

MPI ?= mpich
PREFIX ?=

setup: ; @tools/setup
demo: setup ; @.venv/bin/ictus demo
test: ; @tools/test
test-long: ; @tools/setup --dev && .venv/bin/python tools/test_long.py
sim: ; @tools/sim
check: ; @tools/setup --dev && tools/check
clocks-study: setup ; @.venv/bin/python -m tools.clocks_study
start-skew: setup ; @.venv/bin/python -m tools.start_skew
until-study: setup ; @.venv/bin/python -m tools.until_study
calibration: setup ; @.venv/bin/python -m tools.calibration --write
bench: setup ; @.venv/bin/python tools/bench.py
docs: setup ; @.venv/bin/python tools/docs.py
install: setup ; @tools/install "$(MPI)" "$(PREFIX)"
