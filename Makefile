.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
DIR ?= tests/vectors
QUICK ?=
N ?= 50
UPGRADE ?=
SUITE ?= bookworm
ARCH ?= arm64

# the hash locks, written by `make lock`: what Oxeye runs and is built with, and what its checks need besides
RUN_LOCKS := requirements.txt systemd/locks/requirements-build.txt
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
CATALOGUES := $(wildcard firmware/texts/locale/*/LC_MESSAGES/*.po)
# programs that examine Oxeye have unit tests of their own
EXAMINERS := $(addprefix tests/,benchmarks disturbances first_evening matches mutants people rights studio tabletop)
# one thread for numpy and OpenCV: their matrices here are small, and threads only wait for each other
ONE_THREAD := OMP_NUM_THREADS=1
# the memory settings of the service, for the targets that measure what the service takes
SERVICE_MEMORY := $(shell sed -n 's/^Environment=\(MALLOC.*\)/\1/p' systemd/oxeye.service)

# the accessibility checks of the page run axe-core in Debian's Chromium; the hash pins its content
AXE := axe-core@4.14.0
AXE_SHA := sha512-9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ==
HAS_CHROMIUM := command -v chromium
APT_CHROMIUM := DEBIAN_FRONTEND=noninteractive apt-get install --quiet --quiet --yes --no-install-recommends chromium fonts-dejavu-core

# the studio renders its pictures with Debian's Blender
HAS_BLENDER := command -v blender
APT_BLENDER := DEBIAN_FRONTEND=noninteractive apt-get install --quiet --quiet --yes --no-install-recommends blender

# bytecode is kept: otherwise every process that a test starts compiles all that it imports
unexport PYTHONDONTWRITEBYTECODE

# pyzbar needs libzbar0; without it only the second QR decoder is missing
APT := DEBIAN_FRONTEND=noninteractive apt-get install --quiet --quiet --yes --no-install-recommends libzbar0
HAS_ZBAR := $(BIN)/python -c 'import ctypes.util, sys; sys.exit(not ctypes.util.find_library("zbar"))'

.PHONY: help setup run screens docs recordings lock clean test test-examiners lint types vectors mutants hands examine attack rights first-evening replays \
	powercut browser evening disturb hour studio bench-studio bench-engine bench-eyes bench-tiles bench-sequences bench-wobble bench-hidden bench-page bench-panel \
	bench-app deb test-deb test-system test-install test-fresh test-picamera2 test-arm64 test-vm

help:
	@awk '/^##@/ { printf "%s%s\n", n++ ? "\n" : "", substr($$0, 5) } \
		/^[a-z0-9-]+:.*## / { split($$0, part, /:.*## /); printf "  %-15s %s\n", part[1], part[2] }' $(MAKEFILE_LIST)

.venv/oxeye: $(RUN_LOCKS) pyproject.toml
	@echo "Set-up 1 of 3: a Python of its own in .venv (10 seconds)"
	@$(PYTHON) -m venv .venv
	@echo "Set-up 2 of 3: libraries, checked by their hashes (20 seconds, once)"
	@$(INSTALL) --require-hashes $(addprefix -r ,$(RUN_LOCKS))
	@echo "Set-up 3 of 3: Oxeye itself and its texts"
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@$(HAS_ZBAR) || { [ "$$(id -u)" = 0 ] && { $(APT) || { apt-get update --quiet --quiet && $(APT); }; }; } >/dev/null 2>&1 \
		|| { sudo -n true && sudo -n $(APT); } >/dev/null 2>&1 \
		|| echo "Optional: 'apt install libzbar0' adds a second QR decoder."
	@touch $@

.venv/tools: .venv/oxeye requirements-dev.txt
	@echo "Set-up of the checks: their tools, checked by their hashes (half a minute, once)"
	@$(INSTALL) --require-hashes -r requirements-dev.txt
	@touch $@

.venv/catalogues: .venv/oxeye $(CATALOGUES)
	@$(BIN)/python -m firmware.texts.compile
	@touch $@

##@ Use it

run: .venv/catalogues ## start Oxeye at the camera's table, or at a simulated table if there is no camera
	@$(BIN)/oxeye run $(ARGS)

setup: .venv/catalogues .venv/tools ## install everything into .venv (all other targets do this themselves)

screens: setup ## draw every screen in every language and size as PNG sheets in build/screens
	$(BIN)/python -m tests.contact_sheets build/screens

docs: setup ## regenerate the rulebook, wiring plan, camera heights, pictures and film in docs (2 minutes)
	$(BIN)/python -m docs.generate.rulebook docs/rulebook.md
	$(BIN)/python -m docs.generate.building docs
	$(ONE_THREAD) $(BIN)/python -m docs.generate.pictures docs/pictures
	$(ONE_THREAD) $(BIN)/python -m docs.generate.film docs/pictures

recordings: setup ## record simulated matches in FOLDER (default build/recordings); never overwrites a recording
	$(ONE_THREAD) $(BIN)/python -m tests.tools.record_matches --folder=$(or $(FOLDER),build/recordings)

lock: ## rewrite the hash locks with uv at the present versions (UPGRADE=1: at the newest)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		$(if $(UPGRADE),--upgrade) --output-file requirements.txt pyproject.toml
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		$(if $(UPGRADE),--upgrade) --group dev --output-file requirements-dev.txt pyproject.toml
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		$(if $(UPGRADE),--upgrade) --group build --output-file systemd/locks/requirements-build.txt
	$(call lock-pi,bookworm,3.11)
	$(call lock-pi,trixie,3.13)

# packages that a Debian suite installs with apt constrain the versions and stay out of its lock
define lock-pi
	uv pip compile --quiet --python-platform linux --python-version $(2) --generate-hashes --no-header --no-annotate \
		$(if $(UPGRADE),--upgrade) --extra mqtt --constraint systemd/locks/apt-$(1).txt \
		$$(sed -n 's/^\([a-z-]*\)==.*/--no-emit-package \1/p' systemd/locks/apt-$(1).txt) \
		--output-file systemd/locks/requirements-pi-$(1).txt pyproject.toml
endef

clean: ## delete .venv, build and every cache
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis firmware/texts/locale/*/LC_MESSAGES/*.mo
	find engine vision hw firmware tests docs -name __pycache__ -type d -prune -exec rm -rf {} +

##@ Check it

test: lint types ## lint, type check and unit tests (3 minutes)
	$(BIN)/python -m pytest -q --numprocesses=2 --dist=worksteal $(addprefix --ignore=,$(EXAMINERS))

test-examiners: setup ## unit tests of the programs that examine Oxeye: people, tables, studio, benches (2 minutes)
	$(BIN)/python -m pytest -q --numprocesses=2 --dist=worksteal $(EXAMINERS)

lint: setup ## check style and format with ruff
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: setup ## check types with mypy, strict
	$(BIN)/mypy

vectors: setup ## check the rules against worked examples: DIR=folder for your own
	$(BIN)/python -m pytest -q tests/engine/test_vectors.py --vectors=$(DIR)

mutants: setup ## plant known bugs one at a time and see the tests find each (QUICK=1: a few of each kind)
	$(BIN)/python -m tests.mutants.run $(if $(QUICK),--quick)

hands: setup ## both examiners of the referee: thousands of matches under simulated hands, 200 s for each game (QUICK=1: 5 s), then examine
	$(BIN)/python -m tests.matches.hands --seconds=$(if $(QUICK),5,200)
	$(MAKE) --no-print-directory examine

# the second examiner shares no code with the first: it lays real pieces and obeys every advice
examine: setup ## examine the referee from physical play, and obey every advice (2 minutes; QUICK=1: 20 s; FULL=1: 20 minutes)
	$(ONE_THREAD) $(BIN)/python -m tests.tabletop $(if $(QUICK),--quick) $(if $(FULL),--full) $(if $(SHARD),--shard=$(SHARD)) \
		$(if $(GAME),--game=$(GAME)) $(if $(FIRST),--first=$(FIRST))

attack: setup ## damage the journal in every way and see that the box says so (8 minutes; QUICK=1: 1)
	$(ONE_THREAD) $(BIN)/python -m tests.attacks $(if $(QUICK),--quick)

rights: setup ## try every cell of the table of rights (docs/phones.md) on a running box; fails while one does not hold (20 minutes; QUICK=1: 5; ONLY=pause)
	$(ONE_THREAD) $(BIN)/python -m tests.rights $(if $(QUICK),--quick) $(if $(ONLY),--only "$(ONLY)")

first-evening: setup ## play the first evening of every game from the words of its screens, and count presses (1 minute)
	$(ONE_THREAD) $(BIN)/python -m tests.first_evening

replays: setup ## replay every recorded match and compare each entry and each score
	$(ONE_THREAD) $(BIN)/python -m pytest -q tests/firmware/recording/test_recordings.py --replays

evening: setup ## play whole matches of every game from simulated frames with planted mistakes (12 minutes; QUICK=1: 2)
	$(ONE_THREAD) $(BIN)/python -m tests.matches $(if $(QUICK),--quick)

people: setup ## simulated people go through every flow of the box, also with a fool among them (2 minutes; QUICK=1: 1 minute; FULL=1: an hour, or SHARD=1/3 of it)
	$(ONE_THREAD) $(BIN)/python -m tests.people $(if $(QUICK),--quick) $(if $(FULL),--full) $(if $(SHARD),--shard $(SHARD)) $(if $(SEED),--seed $(SEED))

disturb: setup ## play in bad light and with knocks, hands, mugs and foreign codes (5 minutes; QUICK=1: 1)
	$(ONE_THREAD) $(BIN)/python -m tests.disturbances $(if $(QUICK),--quick)

powercut: setup ## cut the power under the journal and kill the playing process, N times each (N=50)
	$(BIN)/python -m tests.powercut.run $(N)

browser: setup build/axe/package/axe.min.js ## test the pages in Chromium at every screen size, screenshots in build/web (12 minutes)
	@$(HAS_CHROMIUM) >/dev/null || { [ "$$(id -u)" = 0 ] && { $(APT_CHROMIUM) || { apt-get update --quiet --quiet && $(APT_CHROMIUM); }; }; } >/dev/null 2>&1 \
		|| { echo "not run: the page in Chromium: 'apt install chromium' first."; exit 1; }
	OXEYE_BROWSER=1 $(BIN)/python -m pytest -q tests/firmware/web/test_page_browser.py tests/firmware/web/test_table_browser.py

build/axe/package/axe.min.js:
	@mkdir -p build/axe && cd build/axe && { npm pack --silent $(AXE) >/dev/null && \
		[ "sha512-$$(openssl dgst -sha512 -binary axe-core-*.tgz | base64 -w0)" = "$(AXE_SHA)" ] && \
		tar -xzf axe-core-*.tgz; } 2>/dev/null \
		|| echo "axe-core is not checked: it needs npm and a network."

##@ Measure it

bench-engine: setup ## speed of the rules beside a plain loop (QUICK=1: shorter)
	$(BIN)/python -m tests.benchmarks.rules $(if $(QUICK),--quick)

bench-eyes: setup ## tags read and misread, and time per picture, beside other decoders (12 minutes; QUICK=1: 2)
	$(ONE_THREAD) $(BIN)/python -m tests.benchmarks.reading

bench-tiles: setup ## boards of SIX tiles read exactly on every kind of table (QUICK=1: a few)
	$(ONE_THREAD) $(BIN)/python -m tests.benchmarks.tiles

bench-sequences: setup ## boards of SIX that a hand changes: all told or doubtful at each moment (40 minutes; QUICK=1: 4)
	$(ONE_THREAD) $(BIN)/python -m tests.benchmarks.tile_sequences

studio: setup ## ray-trace pictures of tables in Blender into ~/.cache/oxeye-studio, and go on where it stopped (3 hours; QUICK=1: two tables; SEED=hash: 20 of a commit)
	@$(HAS_BLENDER) >/dev/null || { [ "$$(id -u)" = 0 ] && { $(APT_BLENDER) || { apt-get update --quiet --quiet && $(APT_BLENDER); }; }; } >/dev/null 2>&1 \
		|| { echo "not run: the studio in Blender: 'apt install blender' first."; exit 1; }
	$(ONE_THREAD) $(BIN)/python -m tests.studio $(if $(QUICK),--quick) $(if $(SEED),--seed=$(SEED)) $(if $(LIST),--list)

bench-studio: setup ## what oxeye read tells right of the pictures of make studio; goes on where it stopped (15 minutes; QUICK=1: 4)
	$(ONE_THREAD) $(BIN)/python -m tests.benchmarks.studio $(if $(QUICK),--quick) $(if $(OLD),--old=$(OLD)) $(if $(TREE),--tree=$(TREE)) \
		$(if $(SEED),--seed=$(SEED)) $(if $(SHARD),--shard=$(SHARD)) $(if $(FULL),--report=docs/proofs/studio.md)

bench-wobble: setup ## cards told soon after a hand has shaken the camera, by the old rule and the new one (10 minutes)
	$(ONE_THREAD) $(BIN)/python -m tests.benchmarks.wobble

bench-hidden: setup ## unread cards noticed among and under others on photos and in games, and zones flagged without a cause (10 minutes)
	$(ONE_THREAD) $(BIN)/python -m tests.benchmarks.hidden_cards

bench-page: setup ## delay that 300 slow phones cause for the referee (QUICK=1: fewer rounds)
	$(SERVICE_MEMORY) $(ONE_THREAD) $(BIN)/python -m tests.benchmarks.web $(if $(QUICK),--quick)

bench-panel: setup ## bytes on the I2C bus, and time from a button press to the OLED (1 minute)
	$(BIN)/python -m tests.benchmarks.oled

bench-app: setup ## memory and start time of the running program (4 minutes; QUICK=1: 2)
	$(ONE_THREAD) $(BIN)/python -m tests.machines.app --seconds=$(if $(QUICK),60,180)

hour: setup ## play for an hour of table time: memory does not grow and no thread dies (5 minutes)
	$(SERVICE_MEMORY) $(ONE_THREAD) $(BIN)/python -m tests.soak.one_hour

##@ On other machines

deb: setup ## build the Debian package for SUITE=bookworm|trixie and ARCH=arm64|amd64 in build
	PATH=$(CURDIR)/$(BIN):$$PATH systemd/build-deb $(SUITE) $(ARCH)

test-deb: setup ## check the contents of the packages for every suite and architecture
	$(BIN)/python -m tests.machines.deb

test-system: setup ## run the package in a booted Debian: watchdog, crash, update, power cuts (root; 8 minutes)
	$(BIN)/python -m tests.machines.service $(SUITE)

test-install: setup ## run install.sh in a booted Debian: install, install again, uninstall (root; 3 minutes)
	$(BIN)/python -m tests.machines.checkout $(SUITE)

test-fresh: setup ## follow the README in a Debian with only python3, venv, make and git (root; 15 minutes)
	$(BIN)/python -m tests.machines.fresh $(SUITE)

test-picamera2: setup ## run the camera driver on real Picamera2 and libcamera's virtual camera (root; first time 5 minutes, then 1)
	$(ONE_THREAD) $(BIN)/python -m tests.machines.picamera2

test-arm64: setup ## run the package on emulated arm64 (root; first time 6 minutes, then 4; QUICK=1: 1)
	$(BIN)/python -m tests.machines.arm64 $(SUITE) $(if $(QUICK),--quick)

test-vm: setup ## press real GPIO edges on an emulated machine, and cut its power ten times (root; 12 minutes)
	$(BIN)/python -m tests.machines.vm
