# Every command of the project. `make` alone prints them.

SWIFT ?= swift
PREFIX ?= /usr/local
# Given to every build of the root package, so that no two of them rebuild each other's work.
SWIFTFLAGS ?=
# And by debug builds: places in the source are what tests need to know, and what a debugger needs besides is a
# quarter of the compiler's work.
DEBUG_INFO ?= -Xswiftc -gline-tables-only
FLAGS = $(strip $(DEBUG_INFO) $(SWIFTFLAGS))

BUILD := .build
# This package, and those in folders of it, built by the same flags into the same folder, so that what they share is
# built once. Planned anew each time: the plan that lies there may be another package's, and SwiftPM does not see
# that files of the root package came or went.
BUILD_ANEW := $(SWIFT) build --disable-build-manifest-caching
IN = $(BUILD_ANEW) --package-path $(1) --scratch-path $(BUILD)
SAMPLES := $(call IN,samples) $(FLAGS)
CLIENT := $(call IN,Tests/EndToEnd/ClientPackage) $(FLAGS) --product client
HOT_PATH := $(call IN,Tests/Checks/HotPath) $(SWIFTFLAGS) -c release
# Packages that build the same sources in a way of their own have folders of their own.
APART = $(BUILD_ANEW) --package-path $(1) --scratch-path $(BUILD)/$(2)
WALK_CHECK := $(call APART,Tests/Checks/WalkCheck,walk-check) -c release
FUZZ := MAINSTAY_FUZZ=1 $(call APART,.,fuzz) -c release --sanitize=fuzzer --product fuzz-reports
# Where programs are; asked for when it is needed.
PROGRAMS = $$($(SWIFT) build --show-bin-path)
RELEASE = $$($(SWIFT) build -c release --show-bin-path)
RUN_SAMPLES = scripts/samples $(BUILD)/samples-run $(PROGRAMS) $(PROGRAMS)/crashscan
# The tests, side by side (Tests/Runner).
RUN_TESTS = python3 Tests/Runner $(BUILD) $(PROGRAMS)
RUNS ?= 20
BANK_RUNS ?= 50
KILLS ?= 1000
FUZZ_SECONDS ?= 180
PROSE ?= /usr/share/doc /usr/include
MUTATIONS ?= 10000
TASKS ?= 100000
LOGS ?= $(if $(COSTS),100 1000,3000)
LARGEST ?= 64
WALK_SECONDS ?= 5
# How the service of `make verdicts` is built.
VERDICTS ?= debug release static
SOURCES := $(wildcard Package.swift Package@swift-6.2.swift Sources Tests samples)

.DEFAULT_GOAL := help
.PHONY: help setup setup-build setup-tool build samples demo test test-all steady torture walk-check victims
.PHONY: build-short build-programs build-whole build-release build-static check-shims test-timeline screenshots
.PHONY: sanitize accuracy prose async-truth fuzz hostile bench lint format install clean
.PHONY: desktop fleet small-containers test-small-containers test-integrations bugbank fixes model test-model swift-versions platforms walk-in-c recording-in-c interface docs verdicts

help: ## print these targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'

setup: setup-build ## install what builds and tests need, where anything is missing
	@scripts/setup check browser watch trace toolkit && scripts/trace-tools $(BUILD)/trace-tools > $(BUILD)/trace-tools.txt || \
		echo "setup: what needs these is left out of the tests" >&2

setup-build:
	@scripts/setup build samples

setup-tool:
	@scripts/setup build

build: setup-build ## build the package
	$(BUILD_ANEW) $(FLAGS)

samples: setup-build ## run every sample, bug and fix, and print what crashscan says of each
	$(SAMPLES)
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	@$(RUN_SAMPLES)

# make sample-NAME: it works; BUG=1: it crashes; FIX=…: with one of its fixes only.
sample-%: setup-build
	$(SAMPLES)
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	@$(RUN_SAMPLES) $* $(if $(filter-out 1,$(BUG)),$(error BUG is 1 or left out, not “$(BUG)”),$(if $(BUG),--bug)) $(if $(FIX),--fix '$(FIX)')

demo: setup-build ## crash a sample service and show what it left behind
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	$(SAMPLES) --product demo-service
	@scripts/demo $(BUILD)/demo $(PROGRAMS)/demo-service $(PROGRAMS)/crashscan

test: build-short ## run the tests of every target, and one way from end to end for each promise (minutes)
	@$(RUN_TESTS) short

test-all: build-whole ## run all tests and a short version of each long check; make test-NAME runs one job of it, such as CrashscanTests or watch
	@$(RUN_TESTS) whole

test-%: build-whole
	@$(RUN_TESTS) whole $*

steady: $(if $(ALL),build-whole,build-short) ## run `make test` RUNS times, half of them beside a load (RUNS=20, ALL=1)
	@$(RUN_TESTS) steady $(if $(ALL),whole,short) $(RUNS)

# What `make test` and `make test-all` run is built here, by the debug build; for the former, the tests and the
# programs that they name, but none of the long checks.
build-short: setup
	$(BUILD_ANEW) $(FLAGS) --product mainstayPackageTests

# And this while the tests run: what none of them starts, but one way from end to end does.
build-programs:
	$(BUILD_ANEW) $(FLAGS) --product timeline-scene
	$(SAMPLES) --product demo-service
	$(SAMPLES) --product store-products
	$(CLIENT)

build-whole: setup
	@scripts/setup fleet || echo "setup: the fleet's report on Spark is left out of the tests" >&2
	$(BUILD_ANEW) --build-tests $(FLAGS)
	$(SAMPLES) --build-tests

# This too while the tests run, by the optimizer.
build-release:
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product torture
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product affinity-records
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product crashscan
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product hostile
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product misbehave
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product async-truth
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product waiting
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product blocking
	$(HOT_PATH)

# Shares its folder with what runs in small containers.
build-static:
	$(SMALL) --product blocking

check-shims:
	$(SWIFT) package --package-path samples --scratch-path $(BUILD) \
		--allow-writing-to-package-directory generate-hop-shim --check

test-timeline: setup-build
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	$(BUILD_ANEW) $(FLAGS) --product timeline-scene
	@scripts/test-timeline $(BUILD) $(PROGRAMS) $(TIMELINE)

screenshots: setup-build ## make the pictures of docs/images again
	@scripts/setup browser watch trace
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	$(BUILD_ANEW) $(FLAGS) --product driven-service
	$(BUILD_ANEW) $(FLAGS) --product fleet-service
	$(SAMPLES) --product demo-service
	@scripts/screenshots $(BUILD) $(PROGRAMS) $(PROGRAMS)

torture: setup-build ## kill recording processes and count what their logs lack (KILLS=1000)
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product torture
	@$(RELEASE)/torture run $(KILLS)

model: ## check a model of the log's commit protocol, by spin, with and without faults
	@scripts/setup model
	@scripts/model $(BUILD)/model long

test-model:
	@scripts/setup model
	@scripts/model $(BUILD)/model short

async-truth: setup-build ## compare the stacks of tasks with what the tasks know of who called whom (TASKS=100000)
	$(BUILD_ANEW) $(FLAGS) --product async-truth
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product async-truth
	@$(PROGRAMS)/async-truth $(TASKS)
	@$(RELEASE)/async-truth $(TASKS)

walk-check: setup-build ## compare our stack walk with libunwind's, at length
	$(WALK_CHECK)
	@Tests/Checks/WalkCheck/externals $$($(WALK_CHECK) --show-bin-path)/CStackWalk.build
	@$$($(WALK_CHECK) --show-bin-path)/walk-check

victims: setup-build ## let a program die in every way, check its logs, write docs/crash-coverage.md
	$(BUILD_ANEW) --product victims $(FLAGS)
	$(BUILD_ANEW) --product victim $(FLAGS)
	$(BUILD_ANEW) -c release --product victim $(SWIFTFLAGS)
	@$(PROGRAMS)/victims --table docs/crash-coverage.md \
		debug=$(PROGRAMS)/victim \
		release=$(RELEASE)/victim

verdicts: setup-build ## let a real service die in every way, check what is said, write docs/verdicts.md (VERDICTS=debug)
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	@scripts/verdicts $(BUILD) $(PROGRAMS)/crashscan docs/verdicts.md $(VERDICTS)

fleet: setup-build ## run the fleet's report on a real Spark of two workers, kill some of it, compare (LOGS=3000 LARGEST=64, in MiB; COSTS=1)
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product crashscan
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product fleet-service
	@scripts/fleet $(BUILD) $(RELEASE) $(BUILD)/fleet $(if $(COSTS),costs,at_length) $(LOGS) $(if $(COSTS),,$(LARGEST))

desktop: setup-build ## drive the applications that are installed under `crashscan run --gtk`, compare what they show
	@scripts/setup toolkit
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	@python3 Tests/Checks/Desktop/desktop.py $(PROGRAMS) $(BUILD)/desktop
	@python3 Tests/Checks/Desktop/pictures.py $(PROGRAMS) $(BUILD)/pictures

bugbank: setup-build ## test programs with a threading bug each, with it and without, 50 times each (BANK_RUNS=50)
	$(BUILD_ANEW) --build-tests $(FLAGS)
	@python3 Tests/Checks/BugBank $(PROGRAMS) --repro
	@python3 Tests/Checks/BugBank $(PROGRAMS) $(BANK_RUNS)

sanitize: setup-build ## run the Swift tests under the address and thread sanitizers
	$(SWIFT) build --build-tests --sanitize=address --scratch-path $(BUILD)/address
	ASAN_OPTIONS="detect_leaks=0 allocator_may_return_null=1" $(SWIFT) test --skip-build --no-parallel --sanitize=address --scratch-path $(BUILD)/address
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path $(BUILD)/thread
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/thread-sanitizer.supp die_after_fork=0 allocator_may_return_null=1" \
	$(SWIFT) test --skip-build --no-parallel --sanitize=thread --scratch-path $(BUILD)/thread

fixes: build-whole ## apply what crashscan proposes to copies of the sources, compile and run it (FIXES="misbehave samples")
	@python3 Tests/Checks/Fixes $(BUILD) $(PROGRAMS) $(FIXES)

accuracy: setup-build ## judge reports of every format, write docs/report-accuracy.md
	$(BUILD_ANEW) $(FLAGS) --product report-accuracy
	@$(PROGRAMS)/report-accuracy --page docs/report-accuracy.md

prose: setup-build ## read prose and source code, which may accuse nobody (PROSE=/usr/share/doc …)
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product crashscan
	@scripts/prose $(RELEASE)/crashscan $(PROSE)

fuzz: setup-build ## feed every reader of reports with libFuzzer's inputs (FUZZ_SECONDS=180)
	$(FUZZ)
	@mkdir -p $(BUILD)/fuzzing && cp $$($(FUZZ) --show-bin-path)/fuzz-reports $(BUILD)/fuzzing/
	@scripts/fuzz $(BUILD)/fuzzing $(FUZZ_SECONDS)

hostile: setup-build ## hand crashscan tampered logs in every format, count crashes and hangs (MUTATIONS=10000)
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product crashscan
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product hostile
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product misbehave
	@scripts/hostile $(BUILD)/hostile $(RELEASE) $(MUTATIONS) \
		$(BUILD)/samples-run

SMALL := $(SWIFT) build -c release --static-swift-stdlib --scratch-path $(BUILD)/static $(SWIFTFLAGS)
small-containers: setup-build ## run a service as small containers do, crash it, read its log
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	@$(MAKE) --no-print-directory test-small-containers

test-small-containers:
	$(SMALL) --product mainstay-trial
	@python3 Tests/Checks/SmallContainers $$($(SMALL) --show-bin-path)/mainstay-trial $(PROGRAMS)/crashscan \
		$(BUILD)/small-containers

test-integrations: setup-build ## build the adapters to the packages of Swift servers, debug and optimized, and test them with these
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	@scripts/integrations $(BUILD) $(PROGRAMS)/crashscan

swift-versions: ## build with the Swift of other Debian releases (MAINSTAY_ROOTS: where they are kept)
	@scripts/swift-versions

walk-in-c: ## compare our stack walk with libunwind's on arm64, in C alone, under qemu (WALK_SECONDS=5)
	@scripts/walk-in-c $(WALK_SECONDS)

platforms: setup-build ## run all that can be run on other systems, write the table of docs/platforms.md (ROWS=trixie:tests)
	@scripts/platforms $(ROWS)

recording-in-c: setup-build ## run the C of what records with glibc 2.31, compile it with musl's headers
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	@CRASHSCAN=$(PROGRAMS)/crashscan scripts/recording-in-c

bench: ## measure against the peers, into .build/bench.json (BENCH=crumbs chooses)
	@scripts/setup build bench
	@scripts/bench $(BENCH)

docs: build ## build the documentation of the libraries as a static site, into .build/docs
	@scripts/docs $(PROGRAMS) $(BUILD)/docs

interface: build ## write the baselines of the public interface (BREAKING=1 takes lines away)
	@scripts/interface update $(PROGRAMS) $(if $(BREAKING),--breaking)

lint: ## check the format of Swift, what targets import, and that no circle ties files of C or script
	$(SWIFT) format lint --strict -r $(SOURCES)
	@scripts/check-imports
	@scripts/check-circles
	@scripts/check-manifests
	@scripts/check-page

format: ## format every Swift file
	$(SWIFT) format -i -r $(SOURCES)

install: setup-tool ## install crashscan, what it preloads, its man page and its completions (PREFIX=…, DESTDIR=…)
	$(BUILD_ANEW) -c release --product crashscan $(SWIFTFLAGS)
	@scripts/preload $(RELEASE)/libmainstay-blocking.so
	@scripts/preload $(RELEASE)/libmainstay-toolkit.so
	@scripts/install $(RELEASE)/crashscan $(DESTDIR)$(PREFIX)

clean: ## remove everything that was built
	rm -rf $(BUILD)
