# Orrery. `make` builds, `make test` installs what the tests need, builds and runs them; see README.md.
.DELETE_ON_ERROR:
.SECONDARY:
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

BUILD ?= build
CC = gcc
OPT ?= -O2
SANITIZE ?=
PKG := pkg-config

have = $(shell $(PKG) --exists $(1) 2>/dev/null && echo 1)
REQUIRED := libcyaml yaml-0.1 jansson sqlite3 libmd OpenCL
# PNG and GIF come together or not at all.
PICTURES := $(and $(call have,libpng),$(call have,libgif),libpng libgif)
OPTIONAL := $(if $(call have,hdf5),hdf5) $(if $(call have,hwloc),hwloc) $(PICTURES) $(if $(call have,papi-7.0.0.0),papi-7.0.0.0,$(if $(call have,papi),papi))
DEFINES := -D_GNU_SOURCE -DCL_TARGET_OPENCL_VERSION=120 \
	$(if $(call have,hdf5),-DORR_HAVE_HDF5) $(if $(call have,hwloc),-DORR_HAVE_HWLOC) $(if $(PICTURES),-DORR_HAVE_PICTURES) $(if $(filter papi%,$(OPTIONAL)),-DORR_HAVE_PAPI)
PKG_CFLAGS := $(shell $(PKG) --cflags $(REQUIRED) $(OPTIONAL) 2>/dev/null)
PKG_LIBS := $(shell $(PKG) --libs $(REQUIRED) $(OPTIONAL) 2>/dev/null)

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla -Wformat=2
SANFLAGS := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all)
# No contraction unless FMA is spelled out: data sets and references must be the same bits with every compiler.
BASE_CFLAGS := -std=c11 $(OPT) -g -ffp-contract=off -fopenmp $(WARNINGS) $(SANFLAGS)
INCLUDES := -Iharness -I. -I$(BUILD)/gen
CFLAGS_ALL = $(BASE_CFLAGS) $(DEFINES) $(INCLUDES) $(PKG_CFLAGS) -MMD -MP $(CFLAGS)
PLUGIN_CFLAGS = $(BASE_CFLAGS) -fPIC -fvisibility=hidden
LIBS = $(PKG_LIBS) -ldl -lm -lpthread

SOURCES := $(wildcard harness/*.c harness/*/*.c datasets/*.c datasets/formats/*.c)
OBJECTS := $(SOURCES:%.c=$(BUILD)/obj/%.o)
LIBRARY_OBJECTS := $(filter-out $(BUILD)/obj/harness/main.o,$(OBJECTS))
KERNELS := $(wildcard kernels/*.cl)
KERNEL_HEADERS := $(KERNELS:kernels/%.cl=$(BUILD)/gen/kernels/%.h)
QUERIES := $(wildcard harness/*/*.sql)
QUERY_HEADERS := $(QUERIES:harness/%.sql=$(BUILD)/gen/sql/%.h)
VARIANT_SOURCES := $(wildcard variants/*/*.c)
PLUGINS := $(VARIANT_SOURCES:%.c=$(BUILD)/%.so)
TEST_SOURCES := $(wildcard tests/test_*.c)
TESTS := $(TEST_SOURCES:tests/%.c=$(BUILD)/tests/%)
TEST_PLUGINS := $(patsubst tests/plugins/%.c,$(BUILD)/tests/plugins/%.so,$(wildcard tests/plugins/*.c))

.PHONY: all test check test-random check-units asan-units asan ubsan tidy tidy-recent format format-check kernels bundle clean deps FORCE
all: deps $(BUILD)/orrery $(PLUGINS)

deps:
	@for p in $(REQUIRED); do $(PKG) --exists $$p || { echo "missing library: $$p (tools/install.sh installs what is needed)" >&2; exit 1; }; done

$(BUILD)/gen/version.h: FORCE
	@mkdir -p $(@D); tools/version.sh > $@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(BUILD)/gen/kernels/%.h: kernels/%.cl $(wildcard kernels/*.h) tools/embed.sh
	@mkdir -p $(@D); tools/embed.sh $< > $@

$(BUILD)/gen/sql/%.h: harness/%.sql tools/embed_sql.sh
	@mkdir -p $(@D); tools/embed_sql.sh $< > $@

# All of them, for the test that compiles each.
$(BUILD)/gen/all_kernels.h: $(KERNEL_HEADERS)
	@{ echo '#include "device/device.h"'; printf '#include "kernels/%s.h"\n' $(KERNELS:kernels/%.cl=%); \
	  printf 'static const struct orr_source all_kernels[] = {\n'; printf '    {"%s", kernel_%s},\n' $(foreach k,$(KERNELS:kernels/%.cl=%),$(k) $(k)); echo '};'; } > $@
$(BUILD)/tests/test_kernels: $(BUILD)/gen/all_kernels.h

$(BUILD)/obj/%.o: %.c | $(BUILD)/gen/version.h $(KERNEL_HEADERS) $(QUERY_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -DORR_BUILD_FLAGS='"$(CC) $(BASE_CFLAGS)"' -c $< -o $@

# Without errno to set, sqrt() is one instruction for many numbers; with it, the fp64 sums take several times as long.
$(BUILD)/obj/harness/run/reference.o: BASE_CFLAGS += -fno-math-errno

$(BUILD)/liborrery.a: $(LIBRARY_OBJECTS)
	@rm -f $@; ar rcs $@ $^

$(BUILD)/orrery: $(BUILD)/obj/harness/main.o $(BUILD)/liborrery.a
	$(CC) $(BASE_CFLAGS) -o $@ $^ $(LDFLAGS) $(LIBS)

# One shared object per variant: its own file plus what its paper shares.
define plugin_rule
$(BUILD)/$(1:.c=.so): $(1) $(wildcard $(dir $(1))shared/*.c) $(wildcard $(dir $(1))shared/*.h) harness/variant.h harness/boxes.h harness/error.h harness/device/device.h datasets/bodies.h $(wildcard variants/*.h) kernels/count.h $(KERNEL_HEADERS)
	@mkdir -p $$(@D)
	$(CC) $(PLUGIN_CFLAGS) $(DEFINES) $(INCLUDES) -DORR_BUILD_FLAGS='"$(CC) $(PLUGIN_CFLAGS)"' -shared -Wl,-z,defs \
		-o $$@ $(1) $(wildcard $(dir $(1))shared/*.c) $(LDFLAGS) -lm
endef
$(foreach source,$(VARIANT_SOURCES),$(eval $(call plugin_rule,$(source))))

$(BUILD)/tests/plugins/%.so: tests/plugins/%.c harness/variant.h
	@mkdir -p $(@D)
	$(CC) $(PLUGIN_CFLAGS) $(DEFINES) $(INCLUDES) -DORR_BUILD_FLAGS='"test"' -shared -o $@ $< -lm

$(BUILD)/tests/%: tests/%.c $(BUILD)/liborrery.a $(wildcard tests/*.h) $(KERNEL_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $< $(BUILD)/liborrery.a $(LDFLAGS) $(LIBS) -lcmocka

# Installs, then builds in a fresh make, which sees the libraries that were just installed. ONLY=PATTERN runs some of the tests.
test:
	tools/install.sh test
	$(MAKE) $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc)) check

check: all $(TESTS) $(TEST_PLUGINS)
	@BUILD=$(BUILD) tools/run_tests.sh

# With other random numbers than every day.
test-random:
	@seed=$${ORRERY_TEST_SEED:-$$(date +%s)}; echo "ORRERY_TEST_SEED=$$seed"; \
	  ORRERY_TEST_SEED=$$seed $(MAKE) test || { echo "with ORRERY_TEST_SEED=$$seed"; exit 1; }

# Those that open no device and take a few seconds at most.
UNIT_TESTS = $(filter-out %/test_dataset %/test_golden %/test_milky_way,$(patsubst tests/%.c,$(BUILD)/tests/%,$(shell grep -LE \
	'_run\.h"|_tree\.h"|_world\.h"|device_for_tests|all_kernels|worker_course|measure/ceiling' $(TEST_SOURCES))))
check-units: all $(UNIT_TESTS) $(TEST_PLUGINS)
	@BUILD=$(BUILD) tools/run_tests.sh $(UNIT_TESTS)

asan-units:
	$(MAKE) BUILD=build-asan SANITIZE=address OPT=-O1 check-units
asan:
	$(MAKE) BUILD=build-asan SANITIZE=address OPT=-O1 check
ubsan:
	$(MAKE) BUILD=build-ubsan SANITIZE=undefined OPT=-O1 check

# One process a file: clang-tidy 14 takes the state of va_lists over into the next file.
CLANG_TIDY = $(or $(shell command -v clang-tidy-14),clang-tidy)
TIDIED = $(SOURCES) $(VARIANT_SOURCES) $(wildcard variants/*/shared/*.c)
tidy: $(KERNEL_HEADERS) $(QUERY_HEADERS) $(BUILD)/gen/version.h
	@printf '%s\n' $(TIDIED) | xargs -P $(shell nproc) -I{} \
		$(CLANG_TIDY) --quiet {} -- -std=c11 $(DEFINES) $(INCLUDES) $(PKG_CFLAGS) '-DORR_BUILD_FLAGS=""' 2>/dev/null

# The 100 files that were changed last, for all of them take minutes.
tidy-recent:
	@recent=$$({ git diff --name-only HEAD; git log -n 300 --name-only --pretty=format:; } | \
	    { grep -xFf <(printf '%s\n' $(TIDIED)) || true; } | awk '!seen[$$0]++ && ++n <= 100'); \
	  echo "clang-tidy on the $$(wc -w <<<"$$recent") files changed last"; $(MAKE) --no-print-directory tidy TIDIED="$$(echo $$recent)"

# Not kernels/: clang-format reads a macro's product (a) * b as a cast.
CLANG_FORMAT = $(or $(shell command -v clang-format-14),clang-format)
FORMATTED = $(shell git ls-files -co --exclude-standard '*.c' '*.h' ':!kernels')
format:
	@$(CLANG_FORMAT) -i $(FORMATTED)
format-check:
	@$(CLANG_FORMAT) --dry-run --Werror $(or $(FORMATTED),$(error git lists no sources))

# Every kernel file for every compute capability (where NVRTC is installed) and for the OpenCL devices present.
kernels: $(BUILD)/tests/test_kernels
	$<

# Kernels on the OpenCL simulator: races, invalid accesses, uninitialised reads.
oclgrind: all
	BUILD=$(BUILD) tests/e2e_oclgrind.sh

bundle: all
	tools/bundle.sh $(BUILD) bundle

clean:
	rm -rf build build-asan build-ubsan bundle

-include $(OBJECTS:.o=.d) $(TESTS:=.d)
