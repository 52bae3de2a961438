# Every target does its own set-up in .venv: Python 3.11 or newer, make and the package registries
# are all a machine needs. Node comes from a Python package. Logic lives in scripts/.

VENV := .venv
PYTHON := $(VENV)/bin/python
INSTALLED := $(VENV)/.agentui-installed
PORT ?= 8000

.DEFAULT_GOAL := help
.PHONY: help demo test lint format setup clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

demo: setup ## run the demo site on http://127.0.0.1:8000/ (PORT=... for another port)
	@$(PYTHON) scripts/demo.py --port $(PORT)

test: setup ## run every check: lint, types, front end, and the tests on each database
	@$(PYTHON) scripts/check.py

lint: setup ## run the checks that need no test run
	@$(PYTHON) scripts/check.py --lint

format: setup ## format the Python code and apply the linter's safe fixes
	@$(PYTHON) -m ruff format .
	@$(PYTHON) -m ruff check --fix .

setup: $(INSTALLED) ## install everything and build the front end
	@$(PYTHON) hatch_build.py

clean: ## remove everything that was installed or built here
	rm -rf $(VENV) $(VENV)-next dist build .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	rm -rf .hypothesis agentui/static/agentui agentui/npm agentui/frontend/node_modules project/var
	find agentui project tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +

$(INSTALLED): pyproject.toml
	@test -x $(PYTHON) || "$$(sh scripts/find_python.sh)" -m venv $(VENV)
	@echo "Installing agentui and its development tools into $(VENV) ..."
	@$(PYTHON) -m pip install --quiet --upgrade "pip>=25"
	@$(PYTHON) -m pip install --quiet --editable ".[dev]"
	@touch $@
