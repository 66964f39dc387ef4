# Thin: each target is one command, and the comment behind it is what `make help` says. `make demo` first, `make test`
# next; tools/ holds what they call.
.PHONY: help setup demo test test-engines test-long prove-suite sbom audit calibration check bench describe docs site install
.DEFAULT_GOAL := setup

MPI ?= mpich
PREFIX ?=
ENGINES ?= all

help: ; @sed -n '/^help/!s/^\([a-z-]*\):.*\# /\1: /p' Makefile | while IFS=: read -r name text; do printf '  make %-13s%s\n' "$$name" "$$text"; done
setup: ; @tools/setup # Make .venv: Ictus, MPICH and Open MPI from PyPI
demo: setup ; @.venv/bin/ictus demo # Compare MPICH with Open MPI here, in some minutes
test: ; @tools/test # Run the tests that need g++ and Python only
test-engines: ; @tools/test_engines $(ENGINES) # Run tests that need more: all, or ENGINES="slurm r"
test-long: ; @tools/setup --dev && .venv/bin/python -m tools.test_long # Run the tests that take long
prove-suite: ; @python3 tools/prove_suite.py # Run the tests on three states of the machine
sbom: ; @python3 tools/sbom.py # Write the list of all software that Ictus uses
audit: ; @tools/setup --dev && .venv/bin/python tools/audit.py # Look for known weaknesses in what Ictus uses
check: ; @tools/setup --dev && tools/check # Run format, lint, types and documents
calibration: ; @tools/setup --dev && ICTUS_UPDATE_GOLDEN=1 .venv/bin/python -m pytest -m long tests/calibration # Measure the error rates of the statistics anew
bench: setup ; @.venv/bin/python -m tools.bench # Measure the speed of Ictus itself
describe: setup ; @.venv/bin/python -m tools.describe # Write what Python knows of the core, after a change of its options
docs: setup ; @.venv/bin/python -m tools.docs # Write the pages that are made from the sources
site: ; @tools/setup --dev && NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict # Build the documents as a site, in build/site
install: setup ; @tools/install "$(MPI)" "$(PREFIX)" # Install programs and libraries: MPI=mpich PREFIX=folder
