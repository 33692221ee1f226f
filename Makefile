# demo, test, bench and lint do all their own set-up: a .venv here, pinned packages, a release
# build of the core. A second run finds it done.
.DELETE_ON_ERROR:
.PHONY: demo test bench lint docs clean toolchain

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MSRV := $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
RUST := Cargo.toml Cargo.lock $(shell find rust -name "*.rs" -o -name Cargo.toml)

demo: $(VENV)/built
	$(BIN)/reclaimstats demo

test: $(VENV)/built
	cargo test -p reclaimstats-core --locked --quiet
	$(BIN)/pytest -q

bench: $(VENV)/built
	$(BIN)/python benches/run.py

lint: $(VENV)/built
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest reclaimstats._core

# Runs every example in README.md and docs/.
docs: $(VENV)/built
	$(BIN)/pytest -q README.md docs

clean:
	rm -rf $(VENV) target

$(VENV)/packages: requirements.lock | toolchain
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	touch $@

$(VENV)/built: $(VENV)/packages pyproject.toml $(RUST) | toolchain
	$(BIN)/maturin develop --release --locked --quiet
	touch $@

toolchain:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
		|| { echo "reclaimstats needs python3 3.11 or newer: install it, or name it with make PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "reclaimstats needs python's venv module: install it (on Debian: apt install python3-venv)"; exit 1; }
	@found=$$(cargo --version 2>/dev/null | cut -d' ' -f2); \
	[ "$$(printf '%s\n%s\n' "$(MSRV)" "$$found" | sort -V | head -n 1)" = "$(MSRV)" ] \
		|| { echo "reclaimstats needs cargo $(MSRV) or newer (found: $${found:-none}): install Rust with rustup"; exit 1; }
