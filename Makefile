# Every command of the project. `make` alone prints them.

SWIFT ?= swift
PREFIX ?= /usr/local
# Given to every build of the root package, so that no two of them rebuild each other's work.
SWIFTFLAGS ?=

BUILD := .build
# A package of its own in a folder of this one; planned anew each time, for SwiftPM does not see that
# files of the root package came or went.
PACKAGE = $(SWIFT) build --disable-build-manifest-caching --package-path $(1) --scratch-path $(BUILD)/$(2)
SAMPLES := $(call PACKAGE,samples,samples)
RUN_SAMPLES = scripts/samples $(BUILD)/samples-run $$($(SAMPLES) --show-bin-path) $$($(SWIFT) build --show-bin-path)/crashscan
HOT_PATH := $(call PACKAGE,Tests/HotPath,hot-path) -c release
WALK_CHECK := $(call PACKAGE,Tests/WalkCheck,walk-check) -c release
FUZZ := $(call PACKAGE,Tests/Fuzz,fuzz) -c release --sanitize=fuzzer --product fuzz-reports
KILLS ?= 1000
FUZZ_SECONDS ?= 180
SOURCES := $(wildcard Package.swift Sources Tests samples)

.DEFAULT_GOAL := help
.PHONY: help setup setup-samples build samples demo test torture walk-check victims sanitize
.PHONY: accuracy fuzz bench lint format install clean
.PHONY: test-swift test-release test-torture test-client test-hot-path
.PHONY: test-samples
.PHONY: test-trace
.PHONY: test-watch
.PHONY: test-timeline screenshots

help: ## print these targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'

setup: ## install what a build needs, where anything is missing
	@scripts/setup build

setup-samples:
	@scripts/setup build samples

build: setup ## build the package
	$(SWIFT) build $(SWIFTFLAGS)

samples: setup-samples ## run every sample, bug and fix, and print what crashscan says of each
	$(SAMPLES)
	$(SWIFT) build $(SWIFTFLAGS) --product crashscan
	@$(RUN_SAMPLES)

# make sample-NAME: it works; BUG=1: it comes to grief; FIX=…: with one of its fixes only.
sample-%: setup-samples
	$(SAMPLES)
	$(SWIFT) build $(SWIFTFLAGS) --product crashscan
	@$(RUN_SAMPLES) $* $(if $(BUG),--bug) $(if $(FIX),--fix $(FIX))

demo: setup ## crash a sample service and show what it left behind
	$(SWIFT) build $(SWIFTFLAGS) --product crashscan
	$(SAMPLES) --product demo-service
	@scripts/demo $(BUILD)/demo $$($(SAMPLES) --show-bin-path)/demo-service $$($(SWIFT) build --show-bin-path)/crashscan

test: test-swift test-release test-torture test-client test-hot-path ## run every test
test: test-samples
test: test-trace
test: test-watch
test: test-timeline

# Each driver of `make test` is a target of its own.
#
# One test at a time: many start processes and wait for them, and on a machine of two cores those that
# wait would keep the threads that the others need.
SWIFT_TEST := $(SWIFT) test --skip-build --no-parallel

test-swift: setup
	$(SWIFT) build --build-tests $(SWIFTFLAGS)
	$(SWIFT_TEST) $(SWIFTFLAGS)

# Where stacks begin, and who is named as a sender, must not depend on the optimizer.
test-release: setup
	$(SWIFT) build -c release $(SWIFTFLAGS) --product affinity-records
	$(SWIFT) build --build-tests $(SWIFTFLAGS)
	MAINSTAY_TEST_RECORDS=$$($(SWIFT) build -c release --show-bin-path)/affinity-records \
	$(SWIFT_TEST) $(SWIFTFLAGS) --filter RecordTests

test-torture: setup
	$(SWIFT) build -c release $(SWIFTFLAGS) --product torture
	@$$($(SWIFT) build -c release --show-bin-path)/torture run 50
	@$$($(SWIFT) build -c release --show-bin-path)/torture live 2
	@$$($(SWIFT) build -c release --show-bin-path)/torture damage 1

test-client: setup
	@Tests/ClientPackage/run
	@Tests/HopShimTests/client

test-hot-path: setup
	$(HOT_PATH)
	@$$($(HOT_PATH) --show-bin-path)/hot-path

test-samples: setup-samples
	@scripts/check-readme
	$(SAMPLES)
	$(SWIFT) build $(SWIFTFLAGS) --product crashscan
	@scripts/run-readme $(BUILD)/readme $$($(SAMPLES) --show-bin-path)/readme-service $$($(SWIFT) build --show-bin-path)/crashscan
	@$$($(SAMPLES) --show-bin-path)/loopback-session
	$(SAMPLES) --build-tests
	$(SWIFT_TEST) --package-path samples --scratch-path $(BUILD)/samples
	@$(RUN_SAMPLES)
	$(SWIFT) package --package-path samples --scratch-path $(BUILD)/samples \
		--allow-writing-to-package-directory generate-hop-shim --check

test-trace: setup
	$(SWIFT) build $(SWIFTFLAGS) --product crashscan
	$(SWIFT) build $(SWIFTFLAGS) --product driven-service
	$(SWIFT) build $(SWIFTFLAGS) --product misbehave
	@scripts/test-trace $(BUILD) $$($(SWIFT) build --show-bin-path)

test-watch: setup
	@scripts/setup watch
	$(SWIFT) build $(SWIFTFLAGS) --product crashscan
	$(SWIFT) build $(SWIFTFLAGS) --product driven-service
	@python3 Tests/Watch/check.py $$($(SWIFT) build --show-bin-path)

test-timeline: setup
	$(SWIFT) build $(SWIFTFLAGS) --product crashscan
	$(SWIFT) build $(SWIFTFLAGS) --product timeline-scene
	@scripts/test-timeline $(BUILD) $$($(SWIFT) build --show-bin-path) $(TIMELINE)

screenshots: setup-samples ## make the pictures of docs/images anew
	@scripts/setup browser watch trace
	$(SWIFT) build $(SWIFTFLAGS) --product crashscan
	$(SWIFT) build $(SWIFTFLAGS) --product driven-service
	$(SAMPLES) --product demo-service
	@scripts/screenshots $(BUILD) $$($(SAMPLES) --show-bin-path) $$($(SWIFT) build --show-bin-path)

torture: setup ## kill recording processes and count what their logs lack (KILLS=1000)
	$(SWIFT) build -c release $(SWIFTFLAGS) --product torture
	@$$($(SWIFT) build -c release --show-bin-path)/torture run $(KILLS)

walk-check: setup ## compare our stack walk with libunwind's, at length
	$(WALK_CHECK)
	@Tests/WalkCheck/externals $$($(WALK_CHECK) --show-bin-path)/CStackWalk.build
	@$$($(WALK_CHECK) --show-bin-path)/walk-check

victims: setup ## let a program die in every way, check its logs, write docs/crash-coverage.md
	$(SWIFT) build --product victims $(SWIFTFLAGS)
	$(SWIFT) build --product victim $(SWIFTFLAGS)
	$(SWIFT) build -c release --product victim $(SWIFTFLAGS)
	@$$($(SWIFT) build --show-bin-path)/victims --table docs/crash-coverage.md \
		debug=$$($(SWIFT) build --show-bin-path)/victim \
		release=$$($(SWIFT) build -c release --show-bin-path)/victim

sanitize: setup ## run the Swift tests under the address and thread sanitizers
	$(SWIFT) build --build-tests --sanitize=address --scratch-path $(BUILD)/address
	ASAN_OPTIONS="detect_leaks=0 allocator_may_return_null=1" $(SWIFT_TEST) --sanitize=address --scratch-path $(BUILD)/address
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path $(BUILD)/thread
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/thread-sanitizer.supp die_after_fork=0 allocator_may_return_null=1" \
	$(SWIFT_TEST) --sanitize=thread --scratch-path $(BUILD)/thread

accuracy: setup ## judge reports of every format, write docs/report-accuracy.md
	$(SWIFT) build $(SWIFTFLAGS) --product report-accuracy
	@$$($(SWIFT) build --show-bin-path)/report-accuracy --page docs/report-accuracy.md

fuzz: setup ## feed every reader of reports with libFuzzer's inputs (FUZZ_SECONDS=180)
	$(FUZZ)
	@mkdir -p $(BUILD)/fuzzing && cp $$($(FUZZ) --show-bin-path)/fuzz-reports $(BUILD)/fuzzing/
	@scripts/fuzz $(BUILD)/fuzzing $(FUZZ_SECONDS)

bench: ## measure against the peers, into .build/bench.json (BENCH=crumbs chooses)
	@scripts/setup build bench
	@scripts/bench $(BENCH)

lint: ## check the format of every Swift file
	$(SWIFT) format lint --strict -r $(SOURCES)

format: ## format every Swift file
	$(SWIFT) format -i -r $(SOURCES)

install: setup ## install crashscan, its man page and its completions (PREFIX=…, DESTDIR=…)
	$(SWIFT) build -c release --product crashscan $(SWIFTFLAGS)
	@scripts/install $$($(SWIFT) build -c release --show-bin-path)/crashscan $(DESTDIR)$(PREFIX)

clean: ## remove everything that was built
	rm -rf $(BUILD)
