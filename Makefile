.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
DIR ?= tests/vectors
QUICK ?=
N ?= 50
UPGRADE ?=
SUITE ?= bookworm
ARCH ?= arm64

# name the hash locks in one place: `make lock` writes them, `make setup` installs them
LOCKS := requirements.txt requirements-dev.txt
CATALOGUES := $(wildcard firmware/texts/locale/*/LC_MESSAGES/*.po)

# the page is tried in Debian's Chromium, and with axe-core by what everybody can use; its content is locked here
AXE := axe-core@4.14.0
AXE_SHA := sha512-9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ==
HAS_CHROMIUM := command -v chromium
APT_CHROMIUM := DEBIAN_FRONTEND=noninteractive apt-get install --quiet --quiet --yes --no-install-recommends chromium fonts-dejavu-core

# the second opinion on QR codes wants libzbar0; everything else works without it
APT := DEBIAN_FRONTEND=noninteractive apt-get install --quiet --quiet --yes --no-install-recommends libzbar0
HAS_ZBAR := $(BIN)/python -c 'import ctypes.util, sys; sys.exit(not ctypes.util.find_library("zbar"))'

.PHONY: help screens setup run test lint types vectors mutants hands recordings replays powercut bench-engine bench-eyes bench-tiles bench-panel bench-page evening disturb docs browser lock clean deb test-deb test-system test-picamera2 test-arm64 test-vm bench-app test-fresh test-install hour

help:            ## show this list
	@grep -hE '^[a-z0-9-]+: .*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 18

.venv/ready: $(LOCKS) pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@$(HAS_ZBAR) || { [ "$$(id -u)" = 0 ] && { $(APT) || { apt-get update --quiet --quiet && $(APT); }; }; } >/dev/null 2>&1 \
		|| { sudo -n true && sudo -n $(APT); } >/dev/null 2>&1 \
		|| echo "Optional: 'apt install libzbar0' adds a second opinion on QR codes."
	@touch $@

.venv/catalogues: .venv/ready $(CATALOGUES)
	$(BIN)/python -m firmware.texts.compile
	@touch $@

setup: .venv/catalogues  ## prepare .venv and nothing else

run: setup       ## the companion at your table, or at a simulated one where there is no camera
	$(BIN)/oxeye run

test: lint types ## set everything up, then lint, types and tests
	$(BIN)/python -m pytest -q --numprocesses=2

lint: setup      ## ruff: style and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: setup     ## mypy, strict
	$(BIN)/mypy

vectors: setup   ## worked examples of the rules: make vectors DIR=folder
	$(BIN)/python -m pytest -q tests/engine/test_vectors.py --vectors=$(DIR)

mutants: setup   ## plant known bugs one at a time; the tests must find each (QUICK=1: a few of each kind)
	$(BIN)/python -m tests.mutants.run $(if $(QUICK),--quick)

hands: setup     ## whole matches under simulated hands in bad light, 200 s for each game (QUICK=1: 5 s)
	$(BIN)/python -m tests.matches.hands --seconds=$(if $(QUICK),5,200)

recordings: setup  ## record the matches in tests/recordings anew
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.tools.record_matches

replays: setup   ## replay every match in tests/recordings, with every entry and every score of it asserted
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q tests/firmware/recording/test_recordings.py --replays

powercut: setup  ## cut the power under the journal and kill the process that plays, N times each (N=50)
	$(BIN)/python -m tests.powercut.run $(N)

bench-engine: setup  ## how fast the rules run, beside the plainest loop (QUICK=1: shorter slices)
	$(BIN)/python -m tests.benchmarks.rules $(if $(QUICK),--quick)

bench-eyes: setup ## how much the eyes read, how wrong and how fast (12 minutes; QUICK=1 for two)
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.benchmarks.reading

bench-tiles: setup  ## whole boards of SIX on every kind of table (QUICK=1: a few)
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.benchmarks.tiles

bench-page: setup  ## what 300 slow phones cost the referee (QUICK=1: fewer turns)
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.benchmarks.web $(if $(QUICK),--quick)

bench-panel: setup  ## the screens of whole matches on the I2C bus, and presses from the finger to the glass (1 minute)
	$(BIN)/python -m tests.benchmarks.oled

screens: setup   ## every screen in every language and size as sheets of pictures, in build/screens
	$(BIN)/python -m tests.contact_sheets build/screens

evening: setup   ## whole matches of every game from simulated frames, faults planted (12 minutes; QUICK=1: one a game)
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.matches $(if $(QUICK),--quick)

disturb: setup   ## parts of matches in bad light, with knocks, hands, mugs and codes (12 minutes; QUICK=1: a few)
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.disturbances $(if $(QUICK),--quick)

# with what the service is given for its memory
hour: setup      ## an hour of play before the running box: its memory does not grow and no thread dies
	$(shell sed -n 's/^Environment=\(MALLOC.*\)/\1/p' systemd/oxeye.service) OMP_NUM_THREADS=1 $(BIN)/python -m tests.soak.one_hour

build/axe/package/axe.min.js:
	@mkdir -p build/axe && cd build/axe && { npm pack --silent $(AXE) >/dev/null && \
		[ "sha512-$$(openssl dgst -sha512 -binary axe-core-*.tgz | base64 -w0)" = "$(AXE_SHA)" ] && \
		tar -xzf axe-core-*.tgz; } 2>/dev/null \
		|| echo "Without npm or the network: nobody checks with axe-core."

browser: setup build/axe/package/axe.min.js  ## the page in Chromium, on every size of screen, with pictures in build/web (3 minutes)
	@$(HAS_CHROMIUM) >/dev/null || { [ "$$(id -u)" = 0 ] && { $(APT_CHROMIUM) || { apt-get update --quiet --quiet && $(APT_CHROMIUM); }; }; } >/dev/null 2>&1 \
		|| { echo "not run: the page in Chromium: 'apt install chromium' first."; exit 1; }
	OXEYE_BROWSER=1 $(BIN)/python -m pytest -q tests/firmware/web/test_page_browser.py

docs: setup      ## write what the documents hold of made things: rulebook, wiring, heights and pictures (a minute)
	$(BIN)/python -m docs.generate.rulebook docs/rulebook.md
	$(BIN)/python -m docs.generate.building docs
	OMP_NUM_THREADS=1 $(BIN)/python -m docs.generate.pictures docs/pictures

lock:            ## write the hash locks with uv, keeping the pins (UPGRADE=1: newest)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		$(if $(UPGRADE),--upgrade) --output-file requirements.txt pyproject.toml
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		$(if $(UPGRADE),--upgrade) --group dev --output-file requirements-dev.txt pyproject.toml
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		$(if $(UPGRADE),--upgrade) --group build --output-file systemd/locks/requirements-build.txt
	$(call lock-pi,bookworm,3.11)
	$(call lock-pi,trixie,3.13)

# what the suite has by apt must fit, and stays out of the lock
define lock-pi
	uv pip compile --quiet --python-platform linux --python-version $(2) --generate-hashes --no-header --no-annotate \
		$(if $(UPGRADE),--upgrade) --extra mqtt --constraint systemd/locks/apt-$(1).txt \
		$$(sed -n 's/^\([a-z-]*\)==.*/--no-emit-package \1/p' systemd/locks/apt-$(1).txt) \
		--output-file systemd/locks/requirements-pi-$(1).txt pyproject.toml
endef

deb: setup       ## a package for SUITE (bookworm, trixie) and ARCH (arm64, amd64), in build
	PATH=$(CURDIR)/$(BIN):$$PATH systemd/build-deb $(SUITE) $(ARCH)

test-deb: setup  ## what is in the packages for every suite and machine
	$(BIN)/python -m tests.machines.deb

test-system: setup  ## the package in a booted Debian: watched, hung, crashed, killed and updated (5 minutes; root)
	$(BIN)/python -m tests.machines.service $(SUITE)

test-install: setup  ## install.sh in a booted Debian, on its network: once, again, and taken away (3 minutes; root)
	$(BIN)/python -m tests.machines.checkout $(SUITE)

test-fresh: setup  ## the README in a Debian with nothing but python3, venv, make and git (15 minutes; root)
	$(BIN)/python -m tests.machines.fresh $(SUITE)

test-picamera2: setup  ## the camera on the real Picamera2 and libcamera, in a Debian of its own (root; 5 minutes, then 1)
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.machines.picamera2

test-arm64: setup  ## the package for the Pi on arm64's userland, emulated (root; 6 minutes, then 4; QUICK=1: 1)
	$(BIN)/python -m tests.machines.arm64 $(SUITE) $(if $(QUICK),--quick)

test-vm: setup   ## a whole emulated machine: real edges on its pins, ten power cuts (root; 12 minutes where nothing else runs)
	$(BIN)/python -m tests.machines.vm

bench-app: setup ## what the running box weighs, and how soon it is ready (4 minutes; QUICK=1: 2)
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.machines.app --seconds=$(if $(QUICK),60,180)

clean:           ## remove what the other targets made
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis firmware/texts/locale/*/LC_MESSAGES/*.mo
	find engine vision hw firmware tests -name __pycache__ -type d -prune -exec rm -rf {} +
