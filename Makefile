# demo, test, bench and lint do all their own set-up: a .venv here, pinned packages, a release
# build of the core. A second run finds it done.
.DELETE_ON_ERROR:
.PHONY: demo test bench bench-full coverage gate profile fuzz lint docs clean toolchain

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MSRV := $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
RUST := Cargo.toml Cargo.lock python/reclaimstats/_core.pyi $(shell find rust/core rust/py -name "*.rs" -o -name Cargo.toml)
# What `make fuzz` runs, and how long each.
FUZZ := number word choice time regex numbers survival blocks json judge calls matching cues records
MINUTES ?= 10

demo: $(VENV)/built
	$(BIN)/reclaimstats demo

test: $(VENV)/built
	cargo test -p reclaimstats-core --locked --quiet
	$(BIN)/pytest -q

bench: $(VENV)/built
	$(BIN)/python benches/run.py

# Fails where something has become slower than benches/baseline.json.
gate: $(VENV)/built
	$(BIN)/python benches/gate.py

# Which functions the kernels spend their instructions in, into docs/performance.md.
profile: $(VENV)/built
	$(BIN)/python benches/profile_kernels.py

# A million rows, and the tables and charts of README.md and docs.
bench-full: $(VENV)/built
	RECLAIMSTATS_BENCH_ROWS=1000000 $(BIN)/python benches/run.py --publish

# The tables and plots of docs/coverage.md; what docs/coverage.csv holds is not simulated again.
coverage: $(VENV)/built
	PYTHONPATH=tests $(BIN)/python tests/coverage_study.py

# One after the other, each for MINUTES. What was found so far stays in rust/fuzz/corpus.
fuzz:
	@cargo +nightly fuzz --version >/dev/null 2>&1 \
		|| { echo "make fuzz needs cargo-fuzz and a nightly compiler: rustup toolchain install nightly; cargo install cargo-fuzz"; exit 1; }
	$(PYTHON) rust/fuzz/seeds.py target/fuzz/words.dict target/fuzz/seeds
	for target in $(FUZZ); do \
		mkdir -p rust/fuzz/corpus/$$target; \
		cargo +nightly fuzz run --fuzz-dir rust/fuzz --target-dir target/fuzz $$target \
			rust/fuzz/corpus/$$target target/fuzz/seeds -- -dict=target/fuzz/words.dict \
			-max_len=65536 -timeout=10 -max_total_time=$$((60 * $(MINUTES))) || exit 1; \
	done

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
