/* SPDX-License-Identifier: MIT */
/* Building kernels, over every device that is present, and the cache of what was built. */
#include "device/backend.h"
#include "device/opencl.h"
#include "tests/cases.h"
#include "tests/device_for_tests.h"

TEST_ON_DEVICES(build_errors_show_the_line)
{
    const bool compiles = runs_kernels(&d->info);
    struct orr_program *p = (struct orr_program *)1;
    const struct orr_source wrong = {
        "wrong_source",
        filled("%s#line 7 \"here.cl\"\nKERNEL wrong(GLOBAL float *x) { x[0] = nonsense; }\n",
               dialect)};
    assert_int_equal(orr_build(d, &p, &wrong, NULL), compiles ? ORR_EBUILD : ORR_EUNSUPPORTED);
    assert_null(p);
    assert_non_null(strstr(orr_error_text(), "wrong_source"));
    assert_true(!compiles || strstr(orr_error_text(), "nonsense"));
    /* simulators and NVIDIA's OpenCL do not follow the file name of #line */
    if (!strcmp(d->info.backend, "cuda") || d->info.kind == ORR_DEVICE_CPU)
        assert_non_null(strstr(orr_error_text(), "here.cl"));
    orr_error_clear();
    assert_false(d->lost);
}

TEST_ON_KERNEL_DEVICES(kernels_are_recorded_once)
{
    for (int round = 0; round < 2; round++) {
        struct orr_program *p = NULL;
        good(orr_build(d, &p, &source, "-DTWICE=2"));
        orr_drop(d, p);
        assert_int_equal(d->kernel_count, 5);
    }
    for (int i = 0; i < d->kernel_count; i++) {
        assert_non_null(strstr(d->kernels[i].defines, "-DTWICE=2"));
        assert_true(d->kernels[i].max_group > 0 && d->kernels[i].build_s > 0);
    }
}

TEST_ON_KERNEL_DEVICES(programs_with_other_defines_are_others)
{
    const struct orr_source constant = {
        "constant", filled("%sKERNEL put(GLOBAL i32 *x) { x[0] = VALUE; }\n", dialect)};
    ROOM *x = room(d, sizeof(int32_t));
    const struct orr_arg args[] = {ORR_BUF(x)};
    for (int value = 0; value < 2; value++) {
        struct orr_program *p = NULL;
        int32_t got = -1;
        good(orr_build(d, &p, &constant, filled("-DVALUE=%d", value)));
        run_kernel(d, p, "put", 1, 1, args, 1);
        good(orr_download(d, &got, x, sizeof got));
        assert_int_equal(got, value);
        orr_drop(d, p);
    }
}

TEST(cache_survives_damage)
{
    char folder[1024];
    void *data = NULL;
    size_t size = 0;
    char key[65], other[65], *note;
    const char *const parts[] = {"ab", "c"}, *const shifted[] = {"a", "bc"};
    orr_cache_key(key, parts, 2);
    orr_cache_key(other, shifted, 2);
    assert_string_not_equal(key, other);
    orr_cache_forget(key);
    assert_null(orr_cache_load(key, &data, &size));
    assert_true(orr_cache_store(key, "note", "compiled", 9));
    assert_non_null(note = orr_cache_load(key, &data, &size));
    assert_string_equal(note, "note");
    assert_int_equal(size, 9);
    assert_string_equal(data, "compiled");
    free(note);
    good(orr_paths_cache(folder, sizeof folder));
    const char *path = filled("%s/%s.bin", folder, key);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, -3, SEEK_END);
    fputc('X', file);
    fclose(file);
    assert_null(orr_cache_load(key, &data, &size));
    assert_int_equal(access(path, F_OK), -1);
    assert_true(orr_cache_store(key, "note", "compiled", 9));
    assert_int_equal(truncate(path, 40), 0);
    assert_null(orr_cache_load(key, &data, &size));
    assert_true(orr_cache_store(key, "again", NULL, 0));
    assert_non_null(note = orr_cache_load(key, NULL, NULL));
    free(note);
    orr_cache_forget(key);
}

TEST_ON_KERNEL_DEVICES(cache_may_be_unwritable)
{
    const char *before = filled("%s", getenv("ORRERY_CACHE") ? getenv("ORRERY_CACHE") : "");
    struct orr_program *p = NULL;
    setenv("ORRERY_CACHE", "/dev/null/nowhere", 1);
    assert_false(orr_cache_store("key", "note", "data", 4));
    assert_null(orr_cache_load("key", NULL, NULL));
    assert_int_equal(orr_error_code(), 0);
    good(orr_build(d, &p, &source, "-DNOWHERE=1"));
    orr_drop(d, p);
    if (before[0])
        setenv("ORRERY_CACHE", before, 1);
    else
        unsetenv("ORRERY_CACHE");
}

TEST(nvidia_log_tells_registers)
{
    static const char log[] =
        "ptxas info    : 0 bytes gmem\n"
        "ptxas info    : Compiling entry function 'first' for 'sm_90'\n"
        "ptxas info    : Function properties for first\n"
        "ptxas         .     48 bytes stack frame, 16 bytes spill stores, 20 bytes spill loads\n"
        "ptxas info    : Used 62 registers, 340 bytes cmem[0]\n"
        "ptxas info    : Compiling entry function 'second' for 'sm_90'\n"
        "ptxas info    : Used 12 registers, used 1 barriers, 340 bytes cmem[0]\n";
    int registers, spill;
    orr_opencl_log_resources(log, "first", &registers, &spill);
    assert_int_equal(registers, 62);
    assert_int_equal(spill, 16);
    orr_opencl_log_resources(log, "second", &registers, &spill);
    assert_int_equal(registers, 12);
    assert_int_equal(spill, -1);
    orr_opencl_log_resources("", "first", &registers, &spill);
    assert_int_equal(registers, -1);
}

TEST(ptx_gets_the_bounds_it_asks_for)
{
    static const char *const asked = ".version 8.8\n"
                                     ".entry first(\n.param .u32 a\n)\n.reqntid 128, 1, 1\n{\n"
                                     "\t// orr_resident 4\n\tret;\n}\n"
                                     ".entry second(\n)\n.reqntid 64, 1, 1\n{\n\tret;\n}\n"
                                     ".entry third(\n)\n.maxntid 32, 1, 1\n{\n"
                                     "\t// orr_resident 16\n}\n";
    static const char *const got = ".version 8.8\n"
                                   ".entry first(\n.param .u32 a\n)\n.reqntid 128, 1, 1\n"
                                   ".minnctapersm 4\n{\n"
                                   "\t// orr_resident 4\n\tret;\n}\n"
                                   ".entry second(\n)\n.reqntid 64, 1, 1\n{\n\tret;\n}\n"
                                   ".entry third(\n)\n.maxntid 32, 1, 1\n.minnctapersm 16\n{\n"
                                   "\t// orr_resident 16\n}\n";
    char *bounded = orr_opencl_ptx_with_bounds(asked);
    assert_non_null(bounded);
    assert_string_equal(bounded, got);
    /* Not twice. */
    assert_null(orr_opencl_ptx_with_bounds(got));
    free(bounded);
    /* Nobody asks, nothing that could be bounded, no PTX at all. */
    assert_null(orr_opencl_ptx_with_bounds(".entry k(\n)\n.reqntid 64, 1, 1\n{\n}\n"));
    assert_null(orr_opencl_ptx_with_bounds(".entry k(\n)\n{\n// orr_resident 4\n}\n"));
    assert_null(
        orr_opencl_ptx_with_bounds("// orr_resident 4\n.entry k(\n)\n.reqntid 64, 1, 1\n{\n}\n"));
    assert_null(orr_opencl_ptx_with_bounds(".entry k(\n)\n.reqntid 64 // orr_resident 4"));
    assert_null(orr_opencl_ptx_with_bounds(""));
}

RUN_TESTS(setup, NULL)
