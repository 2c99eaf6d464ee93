# Every target sets up what it needs in .venv first (tools/setup.sh); Python 3.11 or newer is all that must be there.
# Another interpreter: make test PYTHON=python3.12. More arguments: make test ARGS="-k knight".

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
# Packages are installed without their byte code: Python writes it when a module is first imported, if it may.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup runtime demo test test-lowest test-slow lint docs bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-11s %s\n", $$1, $$2}' Makefile

setup: ## make or update .venv with the development tools; the other targets do it by themselves
	@PYTHON="$(PYTHON)" tools/setup.sh dev

runtime: ## make or update .venv with what tactician runs on, nothing else
	@PYTHON="$(PYTHON)" tools/setup.sh run

demo: runtime ## see what tactician does
	@$(BIN)/tactician demo $(ARGS)

# Compile once before the workers start, or each of them would compile the same.
test: setup ## run the tests
	@$(BIN)/tactician warmup
	@$(BIN)/python -m pytest -n 2 $(ARGS)

test-lowest: setup ## run part of the tests with the lowest versions of the dependencies
	@$(BIN)/python tools/run_lowest.py $(ARGS)

test-slow: setup ## run the tests that take minutes
	@$(BIN)/tactician warmup
	@$(BIN)/python -m pytest -m slow $(ARGS)

lint: setup ## check style, types and the direction of imports
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy $(wildcard src tests benchmarks tools)
	@$(BIN)/lint-imports --no-cache

docs: setup ## build the documentation into site/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --site-dir site

bench: runtime ## measure the speed of every layer
	@$(BIN)/tactician bench $(ARGS)

clean: ## remove what the targets made, but not .venv
	rm -rf site dist build .venv-lowest .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find src tests tools -name __pycache__ -prune -exec rm -rf {} +
