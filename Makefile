# SPDX-License-Identifier: MIT
# Orrery. `make` builds, `make test` installs what the tests need, builds and runs them; see README.md.
.DELETE_ON_ERROR:
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

BUILD ?= build
CC = gcc
OPT ?= -O2
SANITIZE ?=
PKG := pkg-config

have = $(shell $(PKG) --exists $(1) 2>/dev/null && echo 1)
REQUIRED := libcyaml yaml-0.1 jansson sqlite3 libcrypto OpenCL
OPTIONAL := $(if $(call have,hdf5),hdf5) $(if $(call have,libseccomp),libseccomp) $(if $(call have,papi-7.0.0.0),papi-7.0.0.0,$(if $(call have,papi),papi))
DEFINES := -D_GNU_SOURCE -DCL_TARGET_OPENCL_VERSION=120 \
	$(if $(call have,hdf5),-DORR_HAVE_HDF5) $(if $(call have,libseccomp),-DORR_HAVE_SECCOMP) $(if $(filter papi%,$(OPTIONAL)),-DORR_HAVE_PAPI)
PKG_CFLAGS := $(shell $(PKG) --cflags $(REQUIRED) $(OPTIONAL) 2>/dev/null)
PKG_LIBS := $(shell $(PKG) --libs $(REQUIRED) $(OPTIONAL) 2>/dev/null)

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla -Wformat=2
SANFLAGS := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all)
# Of the program alone: in plugins, guards would change timed code. FORTIFY needs optimisation, and hides from sanitizers what they
# would catch.
GUARDED := -fPIE -fstack-protector-strong -fstack-clash-protection $(if $(filter x86_64-%,$(shell $(CC) -dumpmachine)),-fcf-protection) \
	$(if $(SANITIZE)$(filter -O0,$(OPT)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
# No contraction unless FMA is spelled out: data sets and references must be the same bits with every compiler.
BASE_CFLAGS := -std=c11 $(OPT) -g -ffp-contract=off -fopenmp $(WARNINGS) $(SANFLAGS)
# The same bits from any folder. It stands apart from the flags that the journal quotes, for it holds a path.
ANYWHERE := -ffile-prefix-map=$(CURDIR)=.
INCLUDES := -Iharness -I. -I$(BUILD)/gen
PROGRAM_CFLAGS = $(BASE_CFLAGS) $(GUARDED)
CFLAGS_ALL = $(PROGRAM_CFLAGS) $(ANYWHERE) $(DEFINES) $(INCLUDES) $(PKG_CFLAGS) -MMD -MP $(CFLAGS)
PLUGIN_CFLAGS = $(BASE_CFLAGS) -fPIC -fvisibility=hidden
PLUGIN_CFLAGS_ALL = $(PLUGIN_CFLAGS) $(ANYWHERE) $(DEFINES) $(INCLUDES) -MMD -MP -DORR_BUILD_FLAGS='"$(CC) $(PLUGIN_CFLAGS)"'
LINKED := -Wl,-z,relro,-z,now,-z,noexecstack,--build-id=sha1
LIBS = $(PKG_LIBS) -ldl -lm -lpthread

# Sorted: not every make sorts wildcards, and the linker keeps the order.
SOURCES := $(sort $(wildcard harness/*.c harness/*/*.c datasets/*.c datasets/formats/*.c))
OBJECTS := $(SOURCES:%.c=$(BUILD)/obj/%.o)
LIBRARY_OBJECTS := $(filter-out $(BUILD)/obj/harness/main.o,$(OBJECTS))
# A paper is a folder: variants *.c, what they share in shared/*.c, kernels of its own in kernels/*.cl. Those of variants/ and of
# the folders of ORRERY_PAPERS become $(BUILD)/variants/PAPER/*.so.
PAPERS := $(filter-out variants/common,$(patsubst %/,%,$(wildcard variants/*/))) \
	$(patsubst %/paper.yaml,%,$(wildcard $(addsuffix /*/paper.yaml,$(subst :, ,$(ORRERY_PAPERS)))))
plugins_of = $(patsubst $(1)/%.c,$(BUILD)/variants/$(notdir $(1))/%.so,$(wildcard $(1)/*.c))
$(foreach key,$(sort $(notdir $(PAPERS))),$(if $(word 2,$(filter %/$(key),$(PAPERS))),\
	$(error there are two papers '$(key)': $(filter %/$(key),$(PAPERS)))))
KERNELS := $(wildcard kernels/*.cl)
KERNEL_HEADERS := $(patsubst %.cl,$(BUILD)/gen/%.h,$(KERNELS) $(wildcard $(PAPERS:=/kernels/*.cl)))
VARIANT_SOURCES := $(wildcard $(PAPERS:=/*.c))
SHARED_SOURCES := $(wildcard $(PAPERS:=/shared/*.c) variants/common/*.c)
QUERIES := $(wildcard harness/*/*.sql)
QUERY_HEADERS := $(QUERIES:harness/%.sql=$(BUILD)/gen/sql/%.h) $(BUILD)/gen/sql/ledger/members.h $(BUILD)/gen/sql/ledger/tables.h $(patsubst harness/%.css,$(BUILD)/gen/css/%.h,$(wildcard harness/*/*.css)) \
	$(patsubst harness/%.js,$(BUILD)/gen/js/%.h,$(wildcard harness/*/*.js)) $(BUILD)/gen/txt/cli/commands.h
PLUGINS := $(foreach paper,$(PAPERS),$(call plugins_of,$(paper)))
COMMON_LIBRARY := $(BUILD)/pic/variants/common.a
PAPER_LIBRARIES := $(PAPERS:%=$(BUILD)/pic/%.a)
# Several ranks that share a step (harness/worker/rank_library.h) are a library of their own, built where there is an MPI. MPI itself is
# loaded by a rank alone (ranks/mpi.h): the program needs none.
MPICC ?= mpicc
RANK_SOURCES := $(if $(shell command -v $(MPICC) 2>/dev/null),$(sort $(wildcard ranks/*.c)))
RANK_LIBRARY := $(if $(RANK_SOURCES),$(BUILD)/liborrery_ranks.a)
MPI_LIBRARY := $(if $(RANK_SOURCES),$(BUILD)/liborrery_mpi.so)
# Each uses the other.
HARNESS := -Wl,--start-group $(BUILD)/liborrery.a $(RANK_LIBRARY) -Wl,--end-group
TEST_SOURCES := $(if $(RANK_SOURCES),$(wildcard tests/test_*.c),$(shell grep -sLE '"ranks/(nccl|rank_|world)' tests/test_*.c))
TESTS := $(TEST_SOURCES:tests/%.c=$(BUILD)/tests/%)
# "NAME:FILE" of each plugin that a file of tests/plugins defines (tests/plugins/plugin.h).
TEST_PLUGIN_NAMES := no_symbol:no_symbol octgrav_keeps_tree:octgrav_keeps_tree $(shell grep -soE '^(PLUGIN|PLUGIN_WITH|SPOILS|MOVES)\b.\w+' tests/plugins/*.c | \
	sed 's|.*/\(.*\)\.c:\w*.\(.*\)|\2:\1|')
TEST_PLUGINS := $(foreach plugin,$(TEST_PLUGIN_NAMES),$(BUILD)/tests/plugins/$(firstword $(subst :, ,$(plugin))).so)

# Polynomials of the audit (harness/audit/flint.h), which alone loads it: FLINT takes longer to start than the program.
FLINT_LIBRARY := $(BUILD)/liborrery_flint.so

.PHONY: all vendors vendors-ci describe plugins test check test-random check-units asan-units asan ubsan tidy tidy-recent format format-check kernels cross-check slurm check-artifact bundle clean deps FORCE \
	install uninstall deb help
all: deps $(BUILD)/orrery plugins $(FLINT_LIBRARY) $(MPI_LIBRARY)
plugins: $(PLUGINS)

deps:
	@for p in $(REQUIRED); do $(PKG) --exists $$p || { echo "missing library: $$p (tools/install.sh installs what is needed)" >&2; exit 1; }; done
	@echo '#include <flint/fmpq_mpoly.h>' | $(CC) -E -x c - >/dev/null 2>&1 || { echo "missing library: flint (tools/install.sh installs what is needed)" >&2; exit 1; }

$(BUILD)/gen/version.h: FORCE
	@mkdir -p $(@D); tools/version.sh > $@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# What all objects are compiled with: other flags make them anew.
FLAGS := $(BUILD)/gen/flags
$(FLAGS): FORCE
	@mkdir -p $(@D); printf '%s\n' $(CC) $(PROGRAM_CFLAGS) $(PLUGIN_CFLAGS) $(DEFINES) '$(CFLAGS)' '$(LDFLAGS)' $(MPI_LIBRARY) >$@.new; \
	  cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(BUILD)/gen/%.h: %.cl tools/embed.sh
	@mkdir -p $(@D); tools/embed.sh $< $@

$(BUILD)/gen/sql/%.h: harness/%.sql tools/embed_sql.sh
	@mkdir -p $(@D); tools/embed_sql.sh $< > $@
$(BUILD)/gen/sql/ledger/members.h $(BUILD)/gen/sql/ledger/tables.h: harness/ledger/members.csv tools/members.awk
	@mkdir -p $(@D); awk -v as=$(basename $(@F)) -f tools/members.awk $< > $@
# The documentation of the members of a journal.
describe:
	awk -v as=page -f tools/members.awk harness/ledger/members.csv > docs/JOURNAL.md
	awk -v as=schema -f tools/members.awk harness/ledger/members.csv > docs/schemas/journal.schema.json
# The numbers of the documentation, by docs/numbers.sql and the reference results.
docs-numbers: all
	ORRERY=$(BUILD)/orrery tools/docs_numbers.py --write
$(BUILD)/gen/css/%.h: harness/%.css tools/embed_sql.sh
	@mkdir -p $(@D); tools/embed_sql.sh $< > $@
$(BUILD)/gen/js/%.h: harness/%.js tools/embed_sql.sh
	@mkdir -p $(@D); tools/embed_sql.sh $< > $@
$(BUILD)/gen/txt/%.h: harness/%.txt tools/embed_sql.sh
	@mkdir -p $(@D); tools/embed_sql.sh $< > $@

# All of them, for the test that compiles each.
$(BUILD)/gen/all_kernels.h: $(KERNEL_HEADERS)
	@{ echo '#include "device/device.h"'; printf '#include "%s"\n' $^; \
	  printf 'static const struct orr_source all_kernels[] = {\n'; printf '    {"%s", kernel_%s},\n' $(foreach k,$(basename $(^F)),$(k) $(k)); echo '};'; } > $@
$(BUILD)/tests/test_kernels: $(BUILD)/gen/all_kernels.h

$(BUILD)/obj/%.o: %.c $(FLAGS) | $(BUILD)/gen/version.h $(KERNEL_HEADERS) $(QUERY_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -DORR_BUILD_FLAGS='"$(CC) $(PROGRAM_CFLAGS)"' -c $< -o $@

# Without errno to set, sqrt() is one instruction for many numbers; with it, the fp64 sums take several times as long.
$(BUILD)/obj/harness/verify/reference_pairs.o: BASE_CFLAGS += -fno-math-errno

$(BUILD)/obj/harness/worker/rank_library.o: private DEFINES += $(if $(RANK_SOURCES),-DORR_HAVE_RANKS)

$(BUILD)/liborrery.a: $(LIBRARY_OBJECTS)
$(BUILD)/liborrery_ranks.a: $(RANK_SOURCES:%.c=$(BUILD)/obj/%.o)
$(BUILD)/liborrery.a $(BUILD)/liborrery_ranks.a:
	@rm -f $@; ar rcsD $@ $^

$(BUILD)/orrery: $(BUILD)/obj/harness/main.o $(BUILD)/liborrery.a $(RANK_LIBRARY)
	$(CC) $(PROGRAM_CFLAGS) -pie $(LINKED) -o $@ $< $(HARNESS) $(LDFLAGS) $(LIBS)

$(FLINT_LIBRARY): harness/audit/shim/flint.c harness/audit/flint.h $(FLAGS)
	@mkdir -p $(@D)
	$(CC) $(PLUGIN_CFLAGS) $(ANYWHERE) $(DEFINES) $(INCLUDES) -shared $(LINKED) -o $@ $< $(LDFLAGS) -lflint -lgmp

# It links the MPI alone, by its name: other builds of the same MPI take its place.
$(BUILD)/liborrery_mpi.so: ranks/shim/mpi.c ranks/mpi.h $(FLAGS)
	OMPI_CC=$(CC) MPICH_CC=$(CC) $(MPICC) $(BASE_CFLAGS) -fPIC -fvisibility=hidden $(ANYWHERE) $(INCLUDES) -shared $(LINKED) -o $@ $<

# What variants share is compiled once: a library for all papers, one for each. They are thin, and a plugin depends on those of
# their objects that the linker took, which it says: touching a kernel makes only the plugins anew that embed it.
$(BUILD)/pic/%.o: %.c $(FLAGS) | $(KERNEL_HEADERS)
	@mkdir -p $(@D)
	$(CC) -I$(BUILD)/gen/$(patsubst %/shared,%,$(<D)) $(PLUGIN_CFLAGS_ALL) -c $< -o $@

$(COMMON_LIBRARY): $(patsubst %.c,$(BUILD)/pic/%.o,$(sort $(wildcard variants/common/*.c)))
define paper_rule
$(BUILD)/pic/$(1).a: $(patsubst %.c,$(BUILD)/pic/%.o,$(sort $(wildcard $(1)/shared/*.c)))
$(call plugins_of,$(1)): $(BUILD)/variants/$(notdir $(1))/%.so: $(BUILD)/pic/$(1)/%.o | $(BUILD)/pic/$(1).a $(COMMON_LIBRARY)
endef
$(foreach paper,$(PAPERS),$(eval $(call paper_rule,$(paper))))
$(COMMON_LIBRARY) $(PAPER_LIBRARIES):
	@mkdir -p $(@D); rm -f $@; ar rcsDT $@ $^

$(PLUGINS):
	@mkdir -p $(@D)
	$(CC) $(PLUGIN_CFLAGS) -shared $(LINKED) -Wl,-z,defs -Wl,-t -o $@ $< $(patsubst %/,%,$(<D)).a $(COMMON_LIBRARY) \
		$(LDFLAGS) -lm | sed -n 's|^\($(BUILD)/pic/.*\.o\)$$|$@: \1\n\1:|p' > $(<:.o=.link.d)

# A file is compiled once; each of its plugins is linked with its own variant as the one that is exported.
$(BUILD)/tests/plugins/%.o: tests/plugins/%.c $(FLAGS)
	@mkdir -p $(@D)
	$(CC) $(PLUGIN_CFLAGS) $(ANYWHERE) $(DEFINES) $(INCLUDES) -Wno-unused-parameter -MMD -MP -DORR_BUILD_FLAGS='"test"' -c $< -o $@
$(foreach plugin,$(TEST_PLUGIN_NAMES),$(eval $(BUILD)/tests/plugins/$(subst :,.so: $(BUILD)/tests/plugins/,$(plugin)).o))
$(BUILD)/tests/plugins/octgrav_keeps_tree.so: $(BUILD)/pic/variants/gaburov.a
$(TEST_PLUGINS): $(COMMON_LIBRARY) tests/plugins/exports.map
	$(CC) $(PLUGIN_CFLAGS) -shared $(LINKED) $(if $(filter %/no_symbol.so %/octgrav_keeps_tree.so,$@),,-Wl,--version-script=tests/plugins/exports.map,--defsym=orr_variant=plugin_$(basename $(@F))) -o $@ $(filter %.o,$^) $(filter-out $(COMMON_LIBRARY),$(filter %.a,$^)) $(COMMON_LIBRARY) -lm

# A library in the place of a driver's.
$(BUILD)/tests/drivers/%.so: tests/drivers/%.c $(FLAGS)
	@mkdir -p $(@D)
	$(CC) $(BASE_CFLAGS) $(INCLUDES) -Wno-missing-prototypes -Wno-unused-parameter -fPIC -shared -o $@ $<
$(BUILD)/tests/test_counters_cuda: | $(BUILD)/tests/drivers/cupti.so
$(BUILD)/tests/test_nccl: | $(BUILD)/tests/drivers/nccl.so
# For e2e_counters.sh, too.
$(BUILD)/tests/test_counters: | $(BUILD)/tests/drivers/perf.so
$(BUILD)/tests/drivers/perf.so: tests/perf_for_tests.h
# CUPTI's header includes others of its folder.
$(BUILD)/tests/test_cuda_abi: CFLAGS += -idirafter tests/headers -idirafter /usr/local/cuda/include

# Compiling a test takes longer than running it, but for those that sum up forces or draw many numbers themselves: the others are
# compiled without optimisation, in a fifth of the time.
SUMMING_TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(shell grep -lE '_run\.h"|_check\.h"|_tree\.h"|_bodies\.h"|moments|trajectory|datasets/|stats' $(TEST_SOURCES)))
# Square roots without errno to set are of several numbers at once, as in reference_pairs.o.
$(SUMMING_TESTS): private CFLAGS += -fno-math-errno
$(filter-out $(SUMMING_TESTS),$(TESTS)): private CFLAGS += $(if $(SANITIZE),,-O0 -U_FORTIFY_SOURCE)

$(BUILD)/tests/%: tests/%.c $(BUILD)/liborrery.a $(RANK_LIBRARY) | $(PAPER_LIBRARIES) $(COMMON_LIBRARY) $(FLINT_LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -Wno-unused-parameter -pie $(LINKED) -Wl,-t -o $@ $< $(HARNESS) $(PAPER_LIBRARIES) $(COMMON_LIBRARY) $(LDFLAGS) $(LIBS) -lcmocka \
		| sed -n 's|^\($(BUILD)/pic/.*\.o\)$$|$@: \1\n\1:|p' > $@.link.d

# An NVML that says what a test wants, found by its name once it is loaded.
FAKE_NVML := $(BUILD)/tests/drivers/libnvidia-ml.so.1
$(FAKE_NVML): tests/drivers/nvml.c tests/drivers/nvml.h harness/device/cuda_abi.h $(FLAGS)
	@mkdir -p $(@D)
	$(CC) $(PLUGIN_CFLAGS) $(INCLUDES) -Wno-unused-parameter -shared -Wl,-soname,$(@F) -o $@ $<
$(patsubst tests/%.c,$(BUILD)/tests/%,$(shell grep -l nvml_for_tests tests/test_*.c)): | $(FAKE_NVML)

# Installs, then builds in a fresh make, which sees the libraries that were just installed. ONLY=PATTERN runs some of the tests.
test:
	tools/install.sh test
	$(MAKE) $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc)) check

check: all $(TESTS) $(TEST_PLUGINS) $(BUILD)/tests/old_reference $(BUILD)/tests/torture_faults.so
	@BUILD=$(BUILD) tools/run_tests.sh

# With other random numbers than every day.
test-random:
	@seed=$${ORRERY_TEST_SEED:-$$(date +%s)}; echo "ORRERY_TEST_SEED=$$seed"; \
	  ORRERY_TEST_SEED=$$seed $(MAKE) test || { echo "with ORRERY_TEST_SEED=$$seed"; exit 1; }

# Those that open no device and take a few seconds at most.
UNIT_TESTS = $(filter-out %/test_dataset %/test_golden %/test_milky_way %/test_time_left %/test_claims_feng \
	%/test_claims_gaburov,$(patsubst tests/%.c,$(BUILD)/tests/%,$(shell grep -LE \
	'_run\.h"|_tree\.h"|device_for_tests|all_kernels|worker_course|measure/ceiling|orr_access_open' $(TEST_SOURCES))))
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
TIDIED = $(SOURCES) $(RANK_SOURCES) $(VARIANT_SOURCES) $(SHARED_SOURCES)
tidy: $(KERNEL_HEADERS) $(QUERY_HEADERS) $(BUILD)/gen/version.h
	@printf '%s\n' $(TIDIED) | xargs -P $(shell nproc) -I{} \
		$(CLANG_TIDY) --quiet {} -- -std=c11 $(DEFINES) $(INCLUDES) $(PAPERS:%=-I$(BUILD)/gen/%) $(PKG_CFLAGS) '-DORR_BUILD_FLAGS=""' 2>/dev/null

# The 60 files that were changed last, for all of them take minutes.
tidy-recent:
	@recent=$$({ git diff --name-only HEAD; git log -n 300 --name-only --pretty=format:; } | \
	    { grep -xFf <(printf '%s\n' $(TIDIED)) || true; } | awk '!seen[$$0]++ && ++n <= 60'); \
	  echo "clang-tidy on the $$(wc -w <<<"$$recent") files changed last"; $(MAKE) --no-print-directory tidy TIDIED="$$(echo $$recent)"

# Not kernels/: clang-format reads a macro's product (a) * b as a cast.
CLANG_FORMAT = $(or $(shell command -v clang-format-14),clang-format)
FORMATTED = $(shell git ls-files -co --exclude-standard '*.c' '*.h' ':!kernels' ':!*/kernels/*')
format:
	@tools/spdx.sh
	@$(CLANG_FORMAT) -i $(FORMATTED)
format-check:
	@$(CLANG_FORMAT) --dry-run --Werror $(or $(FORMATTED),$(error git lists no sources))

# Every kernel file for every compute capability (where NVRTC is installed) and for the OpenCL devices present.
kernels: $(BUILD)/tests/test_kernels
	$<

# Kernels on the OpenCL simulator: races, invalid accesses, uninitialised reads.
oclgrind: all
	BUILD=$(BUILD) tests/e2e_oclgrind.sh

# Smoke of all papers on the OpenCL implementations that need no card, and what it says of them (docs/OPENCL.md).
vendors: all
	BUILD=$(BUILD) tests/vendors.sh
# What continuous integration has time for: sub-groups, votes and atomics between groups.
vendors-ci: all
	BUILD=$(BUILD) VENDORS=intel-gpu PIP_SECONDS=60 WHAT="feng/throttle gaburov/headline" tests/vendors.sh

# Campaigns through a real Slurm, started for it on this machine (Debian: slurm-wlm, munge); skipped where there is none.
slurm: all $(BUILD)/tests/plugins/right.so $(BUILD)/tests/plugins/ranks.so
	BUILD=$(BUILD) tests/slurm.sh

# From a clone to verdicts that match the expected ones, on the processor, in a quarter of an hour of two cores.
check-artifact:
	@BUILD=$(BUILD) tools/check_artifact.sh

include tests/fuzz/fuzz.mk
include tests/calibrate/calibrate.mk

# For 64-bit Arm, with a cross compiler and an emulator.
cross-check:
	tools/cross_check.sh

# --- for people ---
PREFIX ?= /usr/local
# One word of the shell, whatever is in it: $(abspath) would split a path at its blanks.
quoted = '$(subst ','\'',$(1))'
absolute = "$$(realpath -ms -- $(call quoted,$(1)))"
DESTDIR ?=

install: all
	@tools/stage.sh $(BUILD) $(call absolute,$(PREFIX)) $(call quoted,$(DESTDIR))

uninstall:
	@tools/stage.sh --remove $(call absolute,$(PREFIX)) $(call quoted,$(DESTDIR))

# The Debian package of this machine's release and architecture, in $(BUILD)/.
deb: all
	@tools/deb.sh $(BUILD)

# As the program, but for HDF5, which brings no network where its static library is installed.
HDF5_STATIC := $(wildcard $(patsubst -L%,%/libhdf5.a,$(filter -L%,$(if $(call have,hdf5),$(shell $(PKG) --libs hdf5)))))
$(BUILD)/portable/orrery: $(BUILD)/obj/harness/main.o $(BUILD)/liborrery.a $(RANK_LIBRARY) $(if $(HDF5_STATIC),$(BUILD)/obj/tools/hdf5_offline.o)
	@mkdir -p $(@D)
	$(CC) $(PROGRAM_CFLAGS) -pie $(LINKED) -o $@ $(filter %.o,$^) $(HARNESS) $(LDFLAGS) $(if $(HDF5_STATIC),$(patsubst -lhdf5,$(HDF5_STATIC) -lsz -lz,$(LIBS)),$(LIBS))

bundle: all $(BUILD)/portable/orrery
	@tools/bundle.sh $(BUILD) bundle

help:
	@printf 'make %-22s %s\n' \
	  "" "the program and its plugins, in build/" \
	  "install PREFIX=DIR" "program, plugins, data, man page and completion; PREFIX=/usr/local, DESTDIR for packagers" \
	  "uninstall PREFIX=DIR" "takes them away again" \
	  "deb" "a Debian package, build/orrery_*.deb; apt install ./build/orrery_*.deb takes it" \
	  "bundle" "a folder that runs by itself on another x86-64 Linux" \
	  "test" "installs what the tests need, builds, runs them; ONLY=PATTERN runs some" \
	  "check" "the same without installing; check-units only the quick ones" \
	  "calibrate" "the papers' own printed numbers, judged by their claims; PAPER=shan of one paper" \
	  "check-artifact" "builds, runs a few claims' commands on the processor, compares the verdicts: a quarter of an hour" \
	  "asan ubsan tsan" "the tests under a sanitizer" \
	  "nightly" "everything that takes hours" \
	  "describe" "the documentation of a journal's members, by harness/ledger/members.csv" \
	  "docs-numbers" "the numbers of the documentation, by the reference results" \
	  "tidy format kernels" "clang-tidy; clang-format; compile every kernel" \
	  "clean" "removes what was built"

clean:
	rm -rf build build-asan build-ubsan build-fuzz build-tsan build-aarch64 bundle

-include $(OBJECTS:.o=.d) $(RANK_SOURCES:%.c=$(BUILD)/obj/%.d) $(patsubst %.c,$(BUILD)/pic/%.d,$(VARIANT_SOURCES) $(SHARED_SOURCES)) $(VARIANT_SOURCES:%.c=$(BUILD)/pic/%.link.d)
-include $(KERNEL_HEADERS:.h=.d) $(TESTS:=.d) $(TESTS:=.link.d) $(wildcard $(BUILD)/tests/plugins/*.d)
