.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin

# name the hash locks in one place: `make lock` writes them, `make setup` installs them
LOCKS := requirements.txt requirements-dev.txt

.PHONY: help setup run test lint types vectors mutants bench-engine bench-eyes docs lock clean

help:            ## show this list
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 18

.venv/ready: $(LOCKS) pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

bench-eyes: .venv/ready ## how much the eyes read, how wrong and how fast (12 minutes; QUICK=1 for two)
	OMP_NUM_THREADS=1 $(BIN)/python -m firmware.bench_eyes
