# The commands of the project. `make` alone prints them.

SWIFT ?= swift
PREFIX ?= /usr/local
# Added to every build of the root package, so that no two builds undo each other's work.
SWIFTFLAGS ?=
# Debug builds have line tables, which the tests need; the rest of the debug information takes a quarter of the
# compiler's time.
DEBUG_INFO ?= -Xswiftc -gline-tables-only
FLAGS = $(strip $(DEBUG_INFO) $(SWIFTFLAGS))
# The manifest has the tests and their programs only with this.
export MAINSTAY_CHECKS := 1

BUILD := .build
# The root package and the nested ones share a build folder and flags, so that common sources are built once. The build
# plan is made anew each time: the cached one may belong to another package, and SwiftPM does not notice files of the
# root package that were added or removed.
BUILD_ANEW := $(SWIFT) build --disable-build-manifest-caching
IN = $(BUILD_ANEW) --package-path $(1) --scratch-path $(BUILD)
SAMPLES := $(call IN,samples) $(FLAGS)
CLIENT := $(call IN,Tests/EndToEnd/ClientPackage) $(FLAGS) --product client
HOT_PATH := $(call IN,Tests/Checks/HotPath) $(SWIFTFLAGS) -c release
# The folders that programs are built into; evaluated when a recipe uses them.
PROGRAMS = $$($(SWIFT) build --show-bin-path)
RELEASE = $$($(SWIFT) build -c release --show-bin-path)
RUN_SAMPLES = scripts/samples $(BUILD)/samples-run $(PROGRAMS) $(PROGRAMS)/crashscan
RUN_TESTS = python3 Tests/Runner $(BUILD) $(PROGRAMS)
SOURCES := $(wildcard Package.swift Package@swift-6.2.swift Sources Tests samples)

.DEFAULT_GOAL := help
.PHONY: help setup setup-build setup-tool build samples demo test test-all bench bench-smoke lint format docs install package verify-long clean
.PHONY: build-short build-programs build-whole build-release build-static

help: ## print these commands
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'
	@echo "  make check-NAME      run one long check; make check lists them"

setup: setup-build ## install what builds and tests need, where anything is missing
	@scripts/setup check browser watch trace toolkit && Tests/EndToEnd/Traces/trace-tools $(BUILD)/trace-tools > $(BUILD)/trace-tools.txt || \
		echo "setup: tests that need one of these are skipped" >&2

setup-build:
	@scripts/setup build samples

setup-tool:
	@scripts/setup build

build: setup-build ## build the package
	$(BUILD_ANEW) $(FLAGS)

demo: setup-build ## crash a sample service and print the report of it
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	$(SAMPLES) --product demo-service
	@scripts/demo $(BUILD)/demo $(PROGRAMS)/demo-service $(PROGRAMS)/crashscan

samples: setup-build ## run every sample with its bug and with its fix, and compare the reports with what is expected
	$(SAMPLES)
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	@$(RUN_SAMPLES)

# make sample-NAME: runs without the bug; BUG=1: with it; FIX=…: with one of its fixes only.
sample-%: setup-build
	$(SAMPLES)
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	@$(RUN_SAMPLES) $* $(if $(filter-out 1,$(BUG)),$(error BUG is 1 or not set, not “$(BUG)”),$(if $(BUG),--bug)) $(if $(FIX),--fix '$(FIX)')

test: build-short ## run the tests of every target, and one end-to-end test of each promise (minutes)
	@$(RUN_TESTS) short

test-all: build-whole ## run all tests and a short version of each long check; make test-NAME runs one job, such as CrashscanTests
	@$(RUN_TESTS) whole

test-%: build-whole
	@$(RUN_TESTS) whole $*

# The runner calls the targets that begin with `build-`.
build-short: setup
	$(BUILD_ANEW) $(FLAGS) --product mainstayPackageTests

build-programs:
	$(BUILD_ANEW) $(FLAGS) --product timeline-scene
	$(SAMPLES) --product demo-service
	$(SAMPLES) --product store-products
	$(CLIENT)

build-whole: setup
	@scripts/setup fleet || echo "setup: the fleet's report on Spark is not tested" >&2
	$(BUILD_ANEW) --build-tests $(FLAGS)
	$(SAMPLES) --build-tests

build-release:
	for product in torture affinity-records crashscan hostile misbehave async-truth waiting blocking; do \
		$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product $$product || exit 1; done
	$(HOT_PATH)

build-static:
	$(SMALL) --product blocking
	$(SMALL) --product waiting

bench: ## compare with the peers, into .build/bench.json, in at most 25 minutes (BENCH=crumbs chooses)
	@scripts/setup build bench
	@SWIFTFLAGS="$(SWIFTFLAGS)" scripts/bench $(BENCH)

bench-smoke: ## check that each benchmark gives its rows, with few rounds and small data
	@scripts/setup build bench
	@python3 Tests/Checks/Benchmarks/runner/check.py
	@SWIFTFLAGS="$(SWIFTFLAGS)" scripts/bench --smoke $(BENCH)

lint: ## check the format, what targets import, and that neither targets nor C files depend on each other in a circle
	$(SWIFT) format lint --strict -r $(SOURCES)
	@Tests/Checks/Lint/check-imports
	@Tests/Checks/Lint/check-circles
	@Tests/Checks/Lint/check-manifests
	@Tests/Checks/Lint/check-page
	@Tests/Checks/Lint/check-version
	@Tests/Checks/Lint/check-links
	@Tests/Checks/Lint/check-english
	@! git grep -nE '^(<<<<<<<|>>>>>>>) '

format: ## format every Swift file
	$(SWIFT) format -i -r $(SOURCES)

docs: build ## build the documentation of the libraries as a static site, into .build/docs
	@scripts/docs $(PROGRAMS) $(BUILD)/docs

# A build for others knows its commit.
install package: export MAINSTAY_COMMIT = $(shell git rev-parse --short=12 HEAD 2> /dev/null)
install: setup-tool ## install crashscan, the libraries it preloads, man page and completions (PREFIX=…, DESTDIR=…)
	$(BUILD_ANEW) -c release --product crashscan $(SWIFTFLAGS)
	@scripts/preload $(RELEASE)/libmainstay-blocking.so
	@scripts/preload $(RELEASE)/libmainstay-isolation.so
	@scripts/preload $(RELEASE)/libmainstay-testing.so
	@scripts/preload $(RELEASE)/libmainstay-toolkit.so
	@scripts/install $(RELEASE)/crashscan $(DESTDIR)$(PREFIX)

# crashscan with the Swift runtime linked statically, and beside it the libraries that it preloads.
STATIC := $(SWIFT) build -c release --static-swift-stdlib --scratch-path $(BUILD)/static $(SWIFTFLAGS)

package: setup-tool ## build a Debian package and a relocatable tarball of crashscan, into .build/package
	@scripts/setup package
	$(STATIC) --product crashscan
	@scripts/preload $$($(STATIC) --show-bin-path)/libmainstay-blocking.so
	@scripts/preload $$($(STATIC) --show-bin-path)/libmainstay-isolation.so
	@scripts/preload $$($(STATIC) --show-bin-path)/libmainstay-testing.so
	@scripts/preload $$($(STATIC) --show-bin-path)/libmainstay-toolkit.so
	@scripts/package $$($(STATIC) --show-bin-path)/crashscan $(BUILD)/package

include Tests/Checks/checks.mk

verify-long: $(LONG) ## run every long check that this machine can run, one after the other (hours)

clean: ## remove everything that was built
	rm -rf $(BUILD)
