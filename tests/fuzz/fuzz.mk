# SPDX-License-Identifier: MIT
# Nights of fuzzing, kills and races; `make check` has the short forms (tests/test_corpora.c, tests/e2e_torture.sh).
.PHONY: fuzz fuzz-build torture tsan tsan-tests self-comparison nightly

CLANG = $(or $(shell command -v clang-14),clang)
FUZZ_SECONDS ?= 60
# Guards are left to the sanitizers (GUARDED). libFuzzer needs clang, whose OpenMP is a package of its own: without it the pragmas are comments, and gcc has the header
# (that one alone: of two stdatomic.h clang's would take gcc's, which it cannot read).
FUZZ_CFLAGS = -std=c11 -O1 -g -ffp-contract=off -fno-omit-frame-pointer -Wall -Wextra -Wno-unknown-pragmas -Wno-format-zero-length \
	-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all -idirafter build-fuzz/openmp

# Each reader of foreign bytes for FUZZ_SECONDS; READERS="journal paper" only these.
fuzz: fuzz-build
	FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/run.sh build-fuzz $(READERS)
fuzz-build:
	mkdir -p build-fuzz/openmp; ln -sf $$(gcc -print-file-name=include)/omp.h build-fuzz/openmp/
	$(MAKE) BUILD=build-fuzz CC=$(CLANG) GUARDED= BASE_CFLAGS='$(FUZZ_CFLAGS)' build-fuzz/fuzz
$(BUILD)/fuzz: tests/fuzz/fuzz.c $(BUILD)/liborrery.a $(RANK_LIBRARY) | $(FLINT_LIBRARY)
	$(CC) $(CFLAGS_ALL) -fsanitize=fuzzer -o $@ $< $(HARNESS) $(LDFLAGS) -lgomp $(LIBS)
-include $(BUILD)/fuzz.d

# Ten thousand kills -9 of parent, workers and all, full disks, clocks set back; half an hour or more.
TORTURES ?= 10000
torture: all $(BUILD)/tests/torture_faults.so $(BUILD)/tests/plugins/right.so
	ORRERY_TORTURE=$(TORTURES) BUILD=$(BUILD) tests/e2e_torture.sh
$(BUILD)/tests/torture_faults.so: tests/torture/faults.c
	@mkdir -p $(@D)
	gcc -std=c11 -O2 -Wall -Wextra -D_GNU_SOURCE -fPIC -shared -o $@ $<

# The program's own threads under the thread sanitizer. OpenMP's are left out: gcc's library is not instrumented, and each of its
# barriers would be called a race.
TSAN_TESTS = test_sensors test_joules test_journal test_schedule test_energy
TSAN_CFLAGS = -std=c11 -O1 -g -ffp-contract=off -Wall -Wextra -Wno-unknown-pragmas -fsanitize=thread -fno-omit-frame-pointer
tsan:
	$(MAKE) BUILD=build-tsan GUARDED= BASE_CFLAGS='$(strip $(TSAN_CFLAGS))' LDFLAGS='$(LDFLAGS) -lgomp' tsan-tests
tsan-tests: all $(TEST_PLUGINS) $(TSAN_TESTS:%=$(BUILD)/tests/%)
	BUILD=$(BUILD) TSAN_OPTIONS=halt_on_error=1 tools/run_tests.sh $(TSAN_TESTS:%=$(BUILD)/tests/%)
# A tree of files of its own stands for /sys.
$(BUILD)/tests/test_sensors $(BUILD)/tests/test_joules: private CFLAGS += -Wl,--wrap=fopen
$(BUILD)/tests/test_sde: private CFLAGS += -Wl,--wrap=dlopen

# Whether two equal runs are called different, and a slower one slower. The machine should have nothing else to do.
self-comparison: all $(BUILD)/tests/plugins/slowed.so $(BUILD)/tests/plugins/device_slowed.so
	BUILD=$(BUILD) tests/self_comparison.sh

# What a night is for.
nightly:
	tools/install.sh nightly
	$(MAKE) fuzz FUZZ_SECONDS=300
	$(MAKE) torture
	$(MAKE) tsan
	$(MAKE) $(BUILD)/tests/test_stats_levels
	ORRERY_SIMULATIONS=20 $(BUILD)/tests/test_stats_levels
	GRID=full BUILD=$(BUILD) tests/e2e_eval_trees.sh
	ORRERY_ALL_TESTS=1 TEST_TIMEOUT=1200 $(MAKE) check
	python3 -m venv $(BUILD)/python && $(BUILD)/python/bin/pip install -q pynbody yt swiftsimio || echo "snapshots are read by what is installed"
	BUILD=$(BUILD) tests/snapshots_in_python.sh
	BUILD=$(BUILD) tests/container.sh
	tools/cross_check.sh || [ $$? -eq 77 ] # needs packages of another architecture
	$(MAKE) check-artifact
	$(MAKE) self-comparison
