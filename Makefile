# Thin: each target is one command. `make demo` first, `make test` next; tools/ holds what they call.
.PHONY: help setup demo test test-engines test-long prove-suite sbom audit calibration check bench docs site install
.DEFAULT_GOAL := setup

MPI ?= mpich
PREFIX ?=
ENGINES ?= all

help: ; @sed -n '/^help/!s/^\([a-z-]*\):.*; @/make \1: /p' Makefile
setup: ; @tools/setup
demo: setup ; @.venv/bin/ictus demo
test: ; @tools/test
test-engines: ; @tools/test_engines $(ENGINES)
test-long: ; @tools/setup --dev && .venv/bin/python -m tools.test_long
prove-suite: ; @python3 tools/prove_suite.py
sbom: ; @python3 tools/sbom.py
audit: ; @tools/setup --dev && .venv/bin/python tools/audit.py
check: ; @tools/setup --dev && tools/check
calibration: ; @tools/setup --dev && ICTUS_UPDATE_GOLDEN=1 .venv/bin/python -m pytest -m long tests/calibration
bench: setup ; @.venv/bin/python -m tools.bench
docs: setup ; @.venv/bin/python -m tools.docs
site: ; @tools/setup --dev && NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict
install: setup ; @tools/install "$(MPI)" "$(PREFIX)"
