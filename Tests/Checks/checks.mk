# The long checks: `make check-NAME`. Included by the Makefile of the root.

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
# The builds of the service of `make check-verdicts`.
VERDICTS ?= debug release static

# Packages that build the same sources with other flags have folders of their own.
APART = $(BUILD_ANEW) --package-path $(1) --scratch-path $(BUILD)/$(2)
WALK_CHECK := $(call APART,Tests/Checks/WalkCheck,walk-check) -c release
FUZZ := MAINSTAY_FUZZ=1 $(call APART,.,fuzz) -c release --sanitize=fuzzer --product fuzz-reports
SMALL := $(STATIC)

LONG := check-torture check-model check-walk check-async-truth check-victims check-verdicts check-hostile check-fuzz \
	check-accuracy check-prose check-fixes check-bugbank check-fleet check-desktop check-gtk-sample check-sanitizers \
	check-small-containers check-integrations check-package check-alerts
.PHONY: check $(LONG) check-steady check-shims check-walk-in-c check-recording-in-c check-swift-versions check-platforms
.PHONY: check-interface check-docs check-pages check-pictures test-timeline test-model test-small-containers

check:
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1|\2/p' Tests/Checks/checks.mk | awk -F'|' '{ printf "%-28s %s\n", $$1, $$2 }'

check-torture: setup-build ## kill recording processes and count what their logs lack (KILLS=1000)
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product torture
	@$(RELEASE)/torture run $(KILLS)

check-model: ## check a model of the log's commit protocol, by spin, with and without faults
	@scripts/setup model
	@Tests/Checks/Model/model $(BUILD)/model long

test-model:
	@scripts/setup model
	@Tests/Checks/Model/model $(BUILD)/model short

check-walk: setup-build ## compare our stack walk with libunwind's, at length
	$(WALK_CHECK)
	@Tests/Checks/WalkCheck/externals $$($(WALK_CHECK) --show-bin-path)/CRecorder.build/walk
	@$$($(WALK_CHECK) --show-bin-path)/walk-check

check-async-truth: setup-build ## compare the stacks of tasks with what the tasks know of their callers (TASKS=100000)
	$(BUILD_ANEW) $(FLAGS) --product async-truth
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product async-truth
	@$(PROGRAMS)/async-truth $(TASKS)
	@$(RELEASE)/async-truth $(TASKS)

check-victims: setup-build ## let a program die in every way, check its logs, write docs/internals/crash-coverage.md
	$(BUILD_ANEW) --product victims $(FLAGS)
	$(BUILD_ANEW) --product victim $(FLAGS)
	$(BUILD_ANEW) -c release --product victim $(SWIFTFLAGS)
	@$(PROGRAMS)/victims --table docs/internals/crash-coverage.md debug=$(PROGRAMS)/victim release=$(RELEASE)/victim

check-verdicts: setup-build ## let a real service die in every way, check the verdicts, write docs/internals/verdicts.md (VERDICTS=debug)
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	@Tests/Checks/Verdicts/verdicts $(BUILD) $(PROGRAMS)/crashscan docs/internals/verdicts.md $(VERDICTS)

check-hostile: setup-build ## hand crashscan tampered logs in every format, count crashes and hangs (MUTATIONS=10000)
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product crashscan
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product hostile
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product misbehave
	@Tests/Checks/Hostile/hostile $(BUILD)/hostile $(RELEASE) $(MUTATIONS) $(BUILD)/samples-run

check-fuzz: setup-build ## feed every reader of reports with libFuzzer's inputs (FUZZ_SECONDS=180)
	$(FUZZ)
	@mkdir -p $(BUILD)/fuzzing && cp $$($(FUZZ) --show-bin-path)/fuzz-reports $(BUILD)/fuzzing/
	@Tests/Checks/Fuzz/fuzz $(BUILD)/fuzzing $(FUZZ_SECONDS)

check-accuracy: setup-build ## score the readers of reports, write their pages
	$(BUILD_ANEW) $(FLAGS) --product report-accuracy
	@$(PROGRAMS)/report-accuracy --page docs/internals/report-accuracy.md
	@$(PROGRAMS)/report-accuracy --shapes docs/reference/report-shapes.md

check-prose: setup-build ## read prose and source code, which must give no finding (PROSE=/usr/share/doc …)
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product crashscan
	@Tests/Checks/Prose/prose $(RELEASE)/crashscan $(PROSE)

check-fixes: build-whole ## apply the proposed fixes to copies of the sources, compile and run them (FIXES="misbehave samples")
	@python3 Tests/Checks/Fixes $(BUILD) $(PROGRAMS) $(FIXES)

check-bugbank: setup-build ## test programs with a threading bug each, with it and without, 50 times each (BANK_RUNS=50)
	$(BUILD_ANEW) --build-tests $(FLAGS)
	@python3 Tests/Checks/BugBank $(PROGRAMS) --repro
	@python3 Tests/Checks/BugBank $(PROGRAMS) $(BANK_RUNS)

check-fleet: setup-build ## run the fleet's report on a Spark of two workers, kill some of it (LOGS=3000 LARGEST=64, in MiB; COSTS=1)
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product crashscan
	$(BUILD_ANEW) -c release $(SWIFTFLAGS) --product fleet-service
	@Tests/EndToEnd/Fleet/fleet $(BUILD) $(RELEASE) $(BUILD)/fleet $(if $(COSTS),costs,at_length) $(LOGS) $(if $(COSTS),,$(LARGEST))

check-desktop: setup-build ## drive installed applications under `crashscan run --gtk`, compare their screens
	@scripts/setup toolkit
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	@python3 Tests/Checks/Desktop/desktop.py $(PROGRAMS) $(BUILD)/desktop
	@python3 Tests/Checks/Desktop/pictures.py $(PROGRAMS) $(BUILD)/pictures

check-gtk-sample: setup-build ## run samples/Gtk with its bug and without, check what crashscan finds
	@scripts/setup toolkit
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	$(call IN,samples/Gtk) $(FLAGS)
	@python3 Tests/Checks/Desktop/sample.py $(PROGRAMS) $(BUILD)/gtk-sample

check-sanitizers: setup-build ## run the Swift tests under the address and thread sanitizers
	$(SWIFT) build --build-tests --sanitize=address --scratch-path $(BUILD)/address
	ASAN_OPTIONS="detect_leaks=0 allocator_may_return_null=1" $(SWIFT) test --skip-build --no-parallel --sanitize=address --scratch-path $(BUILD)/address
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path $(BUILD)/thread
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/thread-sanitizer.supp die_after_fork=0 allocator_may_return_null=1" \
	$(SWIFT) test --skip-build --no-parallel --sanitize=thread --scratch-path $(BUILD)/thread

check-alerts: ## let Prometheus read the rules of docs/on-call.md, and see each alert fire
	@scripts/setup alerts
	@Tests/Checks/Alerts/check

check-small-containers: setup-build ## run a service as small containers do, crash it, read its log
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	@$(MAKE) --no-print-directory test-small-containers

test-small-containers:
	$(SMALL) --product mainstay-trial
	@python3 Tests/Checks/SmallContainers $$($(SMALL) --show-bin-path)/mainstay-trial $(PROGRAMS)/crashscan \
		$(BUILD)/small-containers

check-package: package build ## check both packages: lintian, SPDX, installing, running and removing them in a fresh Debian root
	@python3 Tests/Checks/Package $(BUILD) $(PROGRAMS)

check-integrations: setup-build ## build the adapters with the packages of Swift servers, debug and release, and test them
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	@Tests/Integrations/integrations $(BUILD) $(PROGRAMS)/crashscan

check-shims:
	$(SWIFT) package --package-path samples --scratch-path $(BUILD) \
		--allow-writing-to-package-directory generate-hop-shim --check

check-steady: $(if $(ALL),build-whole,build-short) ## run `make test` RUNS times, half of them beside a load (RUNS=20, ALL=1)
	@$(RUN_TESTS) steady $(if $(ALL),whole,short) $(RUNS)

check-walk-in-c: ## compare our stack walk with libunwind's on arm64, in C alone, under qemu (WALK_SECONDS=5)
	@Tests/Checks/WalkInC/walk-in-c $(WALK_SECONDS)

check-recording-in-c: setup-build ## run the C of the recorder with glibc 2.31, compile it with musl's headers
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	@CRASHSCAN=$(PROGRAMS)/crashscan Tests/Checks/RecordingInC/recording-in-c

check-swift-versions: ## build with the Swift of other Debian releases (MAINSTAY_ROOTS: where they are kept)
	@Tests/Checks/Platforms/swift-versions

check-platforms: setup-build ## run the checks on other systems, write the table of docs/internals/platforms.md (ROWS=trixie:tests)
	@Tests/Checks/Platforms/platforms $(ROWS)

check-interface: build ## compare the public interface with its baselines (UPDATE=1 writes them; BREAKING=1 removes lines)
	@Tests/Checks/Interface/interface $(if $(UPDATE)$(BREAKING),update,check) $(PROGRAMS) $(if $(BREAKING),--breaking)

check-docs: docs ## open every page of the documentation site in Chromium, and follow its links
	@scripts/setup browser
	@$(BUILD)/tools/bin/python3 Tests/EndToEnd/Readme/check-docs.py $(BUILD)/docs

check-pages: setup-build ## run every command of README.md and docs/, compare the output that they show (UPDATE=1 writes it)
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	$(SAMPLES) --product demo-service
	@scripts/preload $(PROGRAMS)/libmainstay-blocking.so
	@python3 Tests/EndToEnd/Pages/pages.py $(PROGRAMS) $(if $(UPDATE),write,check) $(PAGES)

check-pictures: setup-build ## make the pictures of docs/images again
	@scripts/setup browser watch trace
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	$(BUILD_ANEW) $(FLAGS) --product driven-service
	$(BUILD_ANEW) $(FLAGS) --product fleet-service
	$(SAMPLES) --product demo-service
	@Tests/EndToEnd/Pictures/screenshots $(BUILD) $(PROGRAMS) $(PROGRAMS)

test-timeline: setup-build
	$(BUILD_ANEW) $(FLAGS) --product crashscan
	$(BUILD_ANEW) $(FLAGS) --product timeline-scene
	@Tests/EndToEnd/Timeline/timeline $(BUILD) $(PROGRAMS) $(TIMELINE)
