/* The device layer, over every device that is present. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/cache.h"
#include "device/device.h"
#include "device/opencl.h"
#include "error.h"
#include "home.h"

enum { MAX = 16 };
static struct orr_device_info devices[MAX];
static int device_count;
static char dialect[32768];

static const char body[] = "KERNEL GROUP_SIZE_HINT(64) reverse_groups(GLOBAL const float *RESTRICT x, GLOBAL float *y, "
                           "i32 n LOCAL_ARGUMENT(float, t))\n"
                           "{\n"
                           "    LOCAL_BIND(float, t);\n"
                           "    const i32 i = GLOBAL_ID(0), k = LOCAL_ID(0);\n"
                           "    t[k] = i < n ? x[i] : 0.0f;\n"
                           "    BARRIER();\n"
                           "    if (i < n)\n"
                           "        y[i] = FMA(2.0f, t[LOCAL_SIZE(0) - 1 - k], 1.0f);\n"
                           "}\n"
                           "KERNEL count(GLOBAL float *total, GLOBAL i32 *items, i32 n, float weight)\n"
                           "{\n"
                           "    LOCAL float sum;\n"
                           "    if (LOCAL_ID(0) == 0)\n"
                           "        sum = 0.0f;\n"
                           "    BARRIER();\n"
                           "    if (GLOBAL_ID(0) < n)\n"
                           "        ATOMIC_ADD_LOCAL_F32(&sum, weight);\n"
                           "    BARRIER();\n"
                           "    if (LOCAL_ID(0) == 0) {\n"
                           "        ATOMIC_ADD_GLOBAL_F32(total, sum);\n"
                           "        ATOMIC_ADD_I32(items, 1);\n"
                           "    }\n"
                           "}\n"
                           "KERNEL rsqrt_of(GLOBAL const float *x, GLOBAL float *y, i32 n)\n"
                           "{\n"
                           "    const i32 i = GLOBAL_ID(0);\n"
                           "    if (i < n)\n"
                           "        REAL_STORE(RSQRT(REAL_LOAD(x, i)), y, i);\n"
                           "}\n"
                           "KERNEL scale(GLOBAL float *y, i32 n, u32 power)\n"
                           "{\n"
                           "    const i32 i = GLOBAL_ID(0) + GLOBAL_SIZE(0) * GLOBAL_ID(1);\n"
                           "    if (i < n)\n"
                           "        y[i] *= (float)power;\n"
                           "}\n";
static char text[sizeof dialect + sizeof body];
static struct orr_source source = {"test", text};

/* Runs a test over each device; `*state` is the index of the device. */
static struct orr_device *open_device(int k)
{
    struct orr_device *device = NULL;
    orr_error_clear();
    if (orr_device_open(&device, devices[k].id))
        fail_msg("%s: %s", devices[k].id, orr_error_text());
    return device;
}

static void good(int code)
{
    if (code)
        fail_msg("%s (%s)", orr_error_text(), orr_error_where());
}

static bool runs_kernels(int k)
{
    return strcmp(devices[k].backend, "host") != 0;
}

static void lists_the_host_last(void **state)
{
    (void)state;
    assert_true(device_count >= 1);
    assert_string_equal(devices[device_count - 1].id, "host");
    assert_true(devices[device_count - 1].compute_units >= 1);
    assert_true(devices[device_count - 1].memory_bytes > 0);
    for (int k = 0; k < device_count; k++) {
        assert_true(devices[k].name[0] != '\0');
        assert_true(devices[k].vector_width >= 1 && devices[k].warp_width >= 1);
    }
}

static void absent_devices_are_named(void **state)
{
    (void)state;
    static const char *const bad[] = {"opencl:9.0",  "cuda:99", "opencl:", "opencl:0",
                                      "opencl:0.0x", "gpu",     "",        "host:1"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct orr_device *device = (struct orr_device *)1;
        orr_error_clear();
        assert_int_equal(orr_device_open(&device, bad[k]), ORR_EUNSUPPORTED);
        assert_null(device);
        assert_non_null(strstr(orr_error_text(), "host"));
    }
    orr_error_clear();
    orr_device_close(NULL);
}

static void memory_moves(void **state)
{
    (void)state;
    for (int k = 0; k < device_count; k++) {
        struct orr_device *d = open_device(k);
        struct orr_buffer *a = NULL, *b = NULL, *empty = NULL;
        uint32_t in[1001], out[1001];
        for (uint32_t i = 0; i < 1001; i++)
            in[i] = i * 2654435761u;
        good(orr_alloc(d, &a, sizeof in));
        good(orr_alloc(d, &b, sizeof in));
        good(orr_alloc(d, &empty, 0));
        good(orr_upload(d, a, in, sizeof in));
        good(orr_fill(d, b, 0x3f800000u, sizeof in));
        good(orr_copy(d, b, a, 4 * 1000));
        good(orr_download(d, out, b, sizeof out));
        assert_memory_equal(in, out, 4000);
        assert_int_equal(out[1000], 0x3f800000u);
        good(orr_upload(d, a, in, 0));
        assert_int_equal(orr_upload(d, empty, in, 64), ORR_EINTERNAL);
        orr_error_clear();
        assert_int_equal(orr_download(d, out, a, sizeof out + 4), ORR_EINTERNAL);
        orr_error_clear();
        orr_free(d, a);
        orr_free(d, b);
        orr_free(d, empty);
        orr_free(d, NULL);
        orr_device_close(d);
    }
}

static void impossible_allocations_are_refused(void **state)
{
    (void)state;
    for (int k = 0; k < device_count; k++) {
        struct orr_device *d = open_device(k);
        struct orr_buffer *buffer = (struct orr_buffer *)1;
        assert_int_equal(orr_alloc(d, &buffer, (size_t)1 << 60), ORR_EMEMORY);
        assert_null(buffer);
        assert_false(d->lost);
        orr_error_clear();
        good(orr_alloc(d, &buffer, 16));
        orr_free(d, buffer);
        orr_device_close(d);
    }
}

static void launches_of_odd_sizes(void **state)
{
    (void)state;
    static const int sizes[] = {1, 63, 64, 65, 1000};
    for (int k = 0; k < device_count; k++) {
        if (!runs_kernels(k))
            continue;
        struct orr_device *d = open_device(k);
        struct orr_program *p = NULL;
        struct orr_buffer *x = NULL, *y = NULL;
        float in[1000], out[1000];
        for (int i = 0; i < 1000; i++)
            in[i] = (float)i;
        good(orr_build(d, &p, &source, "-DUNUSED=1"));
        good(orr_alloc(d, &x, sizeof in));
        good(orr_alloc(d, &y, sizeof in));
        good(orr_upload(d, x, in, sizeof in));
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const int n = sizes[s];
            const struct orr_arg args[] = {ORR_BUF(x), ORR_BUF(y), ORR_I32(n)};
            good(orr_fill(d, y, 0xbf800000u, sizeof out)); /* -1 */
            good(orr_launch(d, p,
                            &(struct orr_launch){.kernel = "reverse_groups",
                                                 .groups = {((size_t)n + 63) / 64},
                                                 .group = {64},
                                                 .local_bytes = 64 * sizeof(float),
                                                 .args = args,
                                                 .arg_count = 3}));
            good(orr_download(d, out, y, sizeof out));
            for (int i = 0; i < 1000; i++) {
                int mirror = i / 64 * 64 + 63 - i % 64;
                float expected = i >= n ? -1.0f : mirror < n ? 2.0f * (float)mirror + 1.0f : 1.0f;
                assert_true(out[i] == expected);
            }
        }
        orr_free(d, x);
        orr_free(d, y);
        orr_drop(d, p);
        orr_drop(d, NULL);
        orr_device_close(d);
    }
}

static void atomics_lose_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < device_count; k++) {
        if (!runs_kernels(k))
            continue;
        struct orr_device *d = open_device(k);
        struct orr_program *p = NULL;
        struct orr_buffer *total = NULL, *items = NULL;
        float sum;
        int32_t groups;
        good(orr_build(d, &p, &source, NULL));
        good(orr_alloc(d, &total, 4));
        good(orr_alloc(d, &items, 4));
        good(orr_fill(d, total, 0, 4));
        good(orr_fill(d, items, 0, 4));
        const struct orr_arg args[] = {ORR_BUF(total), ORR_BUF(items), ORR_I32(3001), ORR_F32(0.5f)};
        good(orr_launch(
            d, p,
            &(struct orr_launch){.kernel = "count", .groups = {101}, .group = {32}, .args = args, .arg_count = 4}));
        good(orr_download(d, &sum, total, 4));
        good(orr_download(d, &groups, items, 4));
        assert_true(sum == 1500.5f);
        assert_int_equal(groups, 101);
        orr_free(d, total);
        orr_free(d, items);
        orr_drop(d, p);
        orr_device_close(d);
    }
}

/* The dialect's promise for RSQRT: relative error below 2^-21.9, scalar and vector. */
static void rsqrt_is_accurate(void **state)
{
    (void)state;
    enum { N = 4096 };
    static float x[N], y[N];
    for (int k = 0; k < device_count; k++) {
        if (!runs_kernels(k))
            continue;
        struct orr_device *d = open_device(k);
        for (int width = 1; width <= (d->info.kind == ORR_DEVICE_CPU ? 16 : 1); width = width == 2 ? 4 : 2 * width) {
            struct orr_program *p = NULL;
            struct orr_buffer *in = NULL, *out = NULL;
            char defines[32];
            for (int i = 0; i < N; i++)
                x[i] = expf(-30.0f + 60.0f * (float)i / N);
            snprintf(defines, sizeof defines, "-DVECTOR=%d", width);
            good(orr_build(d, &p, &source, defines));
            good(orr_alloc(d, &in, sizeof x));
            good(orr_alloc(d, &out, sizeof x));
            good(orr_upload(d, in, x, sizeof x));
            const struct orr_arg args[] = {ORR_BUF(in), ORR_BUF(out), ORR_I32(N / width)};
            good(
                orr_launch(d, p,
                           &(struct orr_launch){
                               .kernel = "rsqrt_of", .groups = {N / 64}, .group = {64}, .args = args, .arg_count = 3}));
            good(orr_download(d, y, out, sizeof y));
            double worst = 0;
            for (int i = 0; i < N; i++)
                worst = fmax(worst, fabs((double)y[i] * sqrt((double)x[i]) - 1));
            if (worst > exp2(-21.9))
                fail_msg("%s, VECTOR=%d: error %g", d->info.id, width, worst);
            orr_free(d, in);
            orr_free(d, out);
            orr_drop(d, p);
        }
        orr_device_close(d);
    }
}

static double phase_sum(const struct orr_times *times, const char *name)
{
    for (int k = 0; k < times->phase_count; k++)
        if (!strcmp(times->phases[k].name, name))
            return times->phases[k].seconds;
    return -1;
}

static void phases_add_up(void **state)
{
    (void)state;
    for (int k = 0; k < device_count; k++) {
        struct orr_device *d = open_device(k);
        struct orr_buffer *a = NULL, *b = NULL;
        struct orr_times times;
        good(orr_alloc(d, &a, 1 << 20));
        good(orr_alloc(d, &b, 1 << 20));
        good(orr_phase(d, "outside"));
        for (int round = 0; round < 2; round++) {
            good(d->ops->time_start(d));
            good(orr_fill(d, a, 0, 1 << 20));
            for (int step = 0; step < 700; step++) { /* more than the events that are kept */
                good(orr_phase(d, "there"));
                good(orr_copy(d, a, b, 1 << 10));
                good(orr_phase(d, "back"));
                good(orr_copy(d, b, a, 1 << 10));
            }
            good(orr_phase(d, NULL));
            good(orr_fill(d, a, 0, 1 << 20));
            good(d->ops->time_stop(d));
            good(d->ops->time_read(d, &times));
            assert_int_equal(times.phase_count, 2);
            double there = phase_sum(&times, "there"), back = phase_sum(&times, "back");
            assert_true(there > 0 && back > 0);
            assert_true(there + back <= times.seconds * 1.001);
        }
        good(orr_sync(d));
        orr_free(d, a);
        orr_free(d, b);
        orr_device_close(d);
    }
}

static void too_many_phases_are_refused(void **state)
{
    (void)state;
    struct orr_device *d = NULL;
    struct orr_times times;
    good(orr_device_open(&d, "host"));
    good(d->ops->time_start(d));
    for (int k = 0; k < ORR_MAX_PHASES; k++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", k);
        good(orr_phase(d, name));
    }
    assert_int_equal(orr_phase(d, "one more"), ORR_EINTERNAL);
    orr_error_clear();
    good(d->ops->time_stop(d));
    good(d->ops->time_read(d, &times));
    assert_int_equal(times.phase_count, ORR_MAX_PHASES);
    orr_device_close(d);
}

static void many_launches_in_two_dimensions(void **state)
{
    (void)state;
    for (int k = 0; k < device_count; k++) {
        if (!runs_kernels(k))
            continue;
        struct orr_device *d = open_device(k);
        struct orr_program *p = NULL;
        struct orr_buffer *y = NULL;
        struct orr_times times;
        float out[64];
        good(orr_build(d, &p, &source, NULL));
        good(orr_alloc(d, &y, sizeof out));
        good(orr_fill(d, y, 0x3f800000u, sizeof out));
        const struct orr_arg args[] = {ORR_BUF(y), ORR_I32(64), ORR_U32(1)};
        const struct orr_arg twice[] = {ORR_BUF(y), ORR_I32(64), ORR_U32(2)};
        struct orr_launch launch = {.kernel = "scale", .groups = {2, 2}, .group = {8, 2}, .args = args, .arg_count = 3};
        good(d->ops->time_start(d));
        for (int step = 0; step < 2000; step++)
            good(orr_launch(d, p, &launch));
        launch.args = twice;
        good(orr_launch(d, p, &launch));
        good(d->ops->time_stop(d));
        good(d->ops->time_read(d, &times));
        assert_true(times.seconds > 0);
        assert_int_equal(times.phase_count, 0);
        good(orr_download(d, out, y, sizeof out));
        for (int i = 0; i < 64; i++)
            assert_true(out[i] == 2.0f);
        orr_free(d, y);
        orr_drop(d, p);
        orr_device_close(d);
    }
}

static void bad_launches_are_explained(void **state)
{
    (void)state;
    for (int k = 0; k < device_count; k++) {
        if (!runs_kernels(k))
            continue;
        struct orr_device *d = open_device(k);
        struct orr_program *p = NULL;
        struct orr_buffer *y = NULL;
        good(orr_build(d, &p, &source, NULL));
        good(orr_alloc(d, &y, 64));
        const struct orr_arg args[] = {ORR_BUF(y), ORR_I32(1), ORR_U32(2)};
        struct orr_launch launch = {.kernel = "scale", .groups = {1}, .group = {1}, .args = args, .arg_count = 2};
        if (strcmp(d->info.backend, "cuda")) { /* drivers before CUDA 12.4 cannot tell */
            assert_int_equal(orr_launch(d, p, &launch), ORR_EINTERNAL);
            assert_non_null(strstr(orr_error_text(), "scale takes 3 arguments"));
        }
        orr_error_clear();
        launch.arg_count = 3;
        launch.kernel = "nothing";
        assert_int_equal(orr_launch(d, p, &launch), ORR_EINTERNAL);
        orr_error_clear();
        launch.kernel = "scale";
        launch.group[0] = 1 << 20;
        assert_int_equal(orr_launch(d, p, &launch), ORR_EUNSUPPORTED);
        orr_error_clear();
        assert_false(d->lost);
        launch.group[0] = 1;
        good(orr_launch(d, p, &launch));
        good(orr_sync(d));
        orr_free(d, y);
        orr_drop(d, p);
        orr_device_close(d);
    }
}

static void build_errors_show_the_line(void **state)
{
    (void)state;
    for (int k = 0; k < device_count; k++) {
        struct orr_device *d = open_device(k);
        struct orr_program *p = (struct orr_program *)1;
        static char broken[sizeof text + 64];
        snprintf(broken, sizeof broken, "%s#line 7 \"here.cl\"\nKERNEL wrong(GLOBAL float *x) { x[0] = nonsense; }\n",
                 dialect);
        const struct orr_source wrong = {"wrong_source", broken};
        assert_int_equal(orr_build(d, &p, &wrong, NULL), runs_kernels(k) ? ORR_EBUILD : ORR_EUNSUPPORTED);
        assert_null(p);
        assert_non_null(strstr(orr_error_text(), "wrong_source"));
        if (runs_kernels(k)) {
            assert_non_null(strstr(orr_error_text(), "nonsense"));
            /* simulators and NVIDIA's OpenCL do not follow the file name of #line */
            if (!strcmp(d->info.backend, "cuda") || d->info.kind == ORR_DEVICE_CPU)
                assert_non_null(strstr(orr_error_text(), "here.cl"));
        }
        orr_error_clear();
        assert_false(d->lost);
        orr_device_close(d);
    }
}

static void kernels_are_recorded_once(void **state)
{
    (void)state;
    for (int k = 0; k < device_count; k++) {
        if (!runs_kernels(k))
            continue;
        struct orr_device *d = open_device(k);
        for (int round = 0; round < 2; round++) {
            struct orr_program *p = NULL;
            good(orr_build(d, &p, &source, "-DTWICE=2"));
            orr_drop(d, p);
            assert_int_equal(d->kernel_count, 4);
        }
        for (int i = 0; i < d->kernel_count; i++) {
            assert_non_null(strstr(d->kernels[i].defines, "-DTWICE=2"));
            assert_true(d->kernels[i].max_group > 0);
            assert_true(d->kernels[i].build_s > 0);
        }
        orr_device_close(d);
    }
}

static void cache_survives_damage(void **state)
{
    (void)state;
    char folder[1024], path[1200];
    void *data = NULL;
    size_t size = 0;
    char key[65], other[65];
    const char *const parts[] = {"ab", "c"}, *const shifted[] = {"a", "bc"};
    orr_cache_key(key, parts, 2);
    orr_cache_key(other, shifted, 2);
    assert_string_not_equal(key, other);
    orr_cache_forget(key);
    assert_false(orr_cache_load(key, &data, &size));
    assert_true(orr_cache_store(key, "compiled", 9));
    assert_true(orr_cache_load(key, &data, &size));
    assert_int_equal(size, 9);
    assert_string_equal(data, "compiled");
    free(data);
    good(orr_home_cache(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/%s.bin", folder, key);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, -3, SEEK_END);
    fputc('X', file);
    fclose(file);
    assert_false(orr_cache_load(key, &data, &size));
    assert_int_equal(access(path, F_OK), -1);
    assert_true(orr_cache_store(key, "compiled", 9));
    assert_int_equal(truncate(path, 40), 0);
    assert_false(orr_cache_load(key, &data, &size));
    assert_true(orr_cache_store(key, "again", 6));
    assert_true(orr_cache_load(key, &data, &size));
    free(data);
    orr_cache_forget(key);
}

static void cache_may_be_unwritable(void **state)
{
    (void)state;
    char before[1024];
    void *data;
    size_t size;
    snprintf(before, sizeof before, "%s", getenv("ORRERY_CACHE") ? getenv("ORRERY_CACHE") : "");
    setenv("ORRERY_CACHE", "/dev/null/nowhere", 1);
    assert_false(orr_cache_store("key", "data", 4));
    assert_false(orr_cache_load("key", &data, &size));
    assert_int_equal(orr_error_code(), 0);
    for (int k = 0; k < device_count; k++)
        if (runs_kernels(k)) {
            struct orr_device *d = open_device(k);
            struct orr_program *p = NULL;
            good(orr_build(d, &p, &source, "-DNOWHERE=1"));
            orr_drop(d, p);
            orr_device_close(d);
        }
    if (before[0])
        setenv("ORRERY_CACHE", before, 1);
    else
        unsetenv("ORRERY_CACHE");
}

static void nvidia_log_tells_registers(void **state)
{
    (void)state;
    static const char log[] = "ptxas info    : 0 bytes gmem\n"
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

static int setup(void **state)
{
    (void)state;
    char path[1024];
    if (orr_home_path(path, sizeof path, "kernels/dialect.h"))
        return -1;
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    size_t length = fread(dialect, 1, sizeof dialect - 1, file);
    fclose(file);
    snprintf(text, sizeof text, "%.*s%s", (int)length, dialect, body);
    return orr_device_list(devices, MAX, &device_count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_the_host_last),
        cmocka_unit_test(absent_devices_are_named),
        cmocka_unit_test(memory_moves),
        cmocka_unit_test(impossible_allocations_are_refused),
        cmocka_unit_test(launches_of_odd_sizes),
        cmocka_unit_test(atomics_lose_nothing),
        cmocka_unit_test(rsqrt_is_accurate),
        cmocka_unit_test(phases_add_up),
        cmocka_unit_test(too_many_phases_are_refused),
        cmocka_unit_test(many_launches_in_two_dimensions),
        cmocka_unit_test(bad_launches_are_explained),
        cmocka_unit_test(build_errors_show_the_line),
        cmocka_unit_test(kernels_are_recorded_once),
        cmocka_unit_test(cache_survives_damage),
        cmocka_unit_test(cache_may_be_unwritable),
        cmocka_unit_test(nvidia_log_tells_registers),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
