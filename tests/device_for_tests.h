/* Every device that is present, and a program for the tests of the device layer. */
#ifndef DEVICE_FOR_TESTS_H
#define DEVICE_FOR_TESTS_H

#include "harness/device/device.h"
#include "harness/error.h"
#include "harness/paths.h"
#include "tests/cases.h"

enum { MAX = 16 };
static struct orr_device_info devices[MAX];
static int device_count;
static char dialect[32768];

static const char body[] =
    "KERNEL GROUP_SIZE(64) reverse_groups(GLOBAL const float *RESTRICT x, GLOBAL float *y, "
    "i32 n LOCAL_ARGUMENT(float, t))\n"
    "{\n"
    "    LOCAL_BIND(float, t);\n"
    "    const i32 i = get_global_id(0), k = get_local_id(0);\n"
    "    t[k] = i < n ? x[i] : 0.0f;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (i < n)\n"
    "        y[i] = FMA(2.0f, t[get_local_size(0) - 1 - k], 1.0f);\n"
    "}\n"
    "KERNEL count(GLOBAL float *total, GLOBAL i32 *items, i32 n, float weight)\n"
    "{\n"
    "    LOCAL float sum;\n"
    "    if (get_local_id(0) == 0)\n"
    "        sum = 0.0f;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_global_id(0) < n)\n"
    "        ATOMIC_ADD_LOCAL_F32(&sum, weight);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_local_id(0) == 0) {\n"
    "        ATOMIC_ADD_GLOBAL_F32(total, sum);\n"
    "        atomic_add(items, 1);\n"
    "    }\n"
    "}\n"
    /* Every thread of every group adds to the same words, over local memory and at once. */
    "KERNEL meet(GLOBAL float *sums, GLOBAL u32 *wide, i32 n)\n"
    "{\n"
    "    LOCAL float sum;\n"
    "    LOCAL u32 low, high;\n"
    "    const i32 i = get_global_id(0);\n"
    "    if (get_local_id(0) == 0) {\n"
    "        sum = 0.0f;\n"
    "        low = high = 0;\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (i < n) {\n"
    "        const i64 value = (i64)(2 * i - n) * 0x7123456789;\n"
    "        ATOMIC_CAS_ADD_LOCAL_F32(&sum, 0.25f);\n"
    "        ATOMIC_CAS_ADD_GLOBAL_F32(&sums[1], 0.25f);\n"
    "        ATOMIC_ADD_GLOBAL_F32(&sums[2], 0.25f);\n"
    "        ATOMIC_ADD_WIDE(&low, &high, value);\n"
    "        ATOMIC_ADD_WIDE(&wide[2], &wide[3], value);\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_local_id(0) == 0) {\n"
    "        ATOMIC_CAS_ADD_GLOBAL_F32(&sums[0], sum);\n"
    "        ATOMIC_ADD_WIDE(&wide[0], &wide[1], WIDE_OF(low, high));\n"
    "    }\n"
    "}\n"
    "KERNEL rsqrt_of(GLOBAL const float *x, GLOBAL float *y, i32 n)\n"
    "{\n"
    "    const i32 i = get_global_id(0);\n"
    "    if (i < n)\n"
    "        REAL_STORE(RSQRT(REAL_LOAD(x, i)), y, i);\n"
    "}\n"
    "KERNEL scale(GLOBAL float *y, i32 n, u32 power)\n"
    "{\n"
    "    const i32 i = get_global_id(0) + get_global_size(0) * get_global_id(1);\n"
    "    if (i < n)\n"
    "        y[i] *= (float)power;\n"
    "}\n";
static char text[sizeof dialect + sizeof body];
static const struct orr_source source = {"test", text};

/* The device devices[k]. */
static inline struct orr_device *open_device(int k)
{
    struct orr_device *device = NULL;
    orr_error_clear();
    if (orr_device_open(&device, devices[k].id))
        fail_msg("%s: %s", devices[k].id, orr_error_text());
    return device;
}

static inline void good(int code)
{
    if (code)
        fail_msg("%s (%s)", orr_error_text(), orr_error_where());
}

static inline bool runs_kernels(int k)
{
    return strcmp(devices[k].backend, "host") != 0;
}

/* Calls `each` with every device, open. */
static inline void on_devices(void (*each)(struct orr_device *device))
{
    for (int k = 0; k < device_count; k++) {
        struct orr_device *device = open_device(k);
        each(device);
        orr_device_close(device);
    }
}

/* The same with the program, built with `defines`, on every device that runs kernels. */
static inline void on_programs(void (*each)(struct orr_device *device, struct orr_program *program),
                               const char *defines)
{
    for (int k = 0; k < device_count; k++) {
        if (!runs_kernels(k))
            continue;
        struct orr_device *device = open_device(k);
        struct orr_program *program = NULL;
        good(orr_build(device, &program, &source, defines));
        each(device, program);
        orr_drop(device, program);
        orr_device_close(device);
    }
}

/* A buffer of that many bytes. */
static inline struct orr_buffer *room(struct orr_device *device, size_t bytes)
{
    struct orr_buffer *buffer = NULL;
    good(orr_alloc(device, &buffer, bytes));
    return buffer;
}

/* The same, full of the word. */
static inline struct orr_buffer *room_of(struct orr_device *device, uint32_t word, size_t bytes)
{
    struct orr_buffer *buffer = room(device, bytes);
    good(orr_fill(device, buffer, word, bytes));
    return buffer;
}

/* Appends kernels/`name` to the dialect. */
static inline int read_dialect(const char *name)
{
    char path[1024];
    size_t used = strlen(dialect);
    if (orr_paths_home(path, sizeof path, "kernels/%s", name))
        return -1;
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    dialect[used + fread(dialect + used, 1, sizeof dialect - 1 - used, file)] = '\0';
    fclose(file);
    return 0;
}

/* Lists the devices and puts the dialect before the program. */
static inline int setup(void **state)
{
    *dialect = '\0';
    if (read_dialect("dialect.h") || read_dialect("warp_atomics.h"))
        return -1;
    snprintf(text, sizeof text, "%s%s", dialect, body);
    device_count = orr_device_list(devices, MAX);
    return 0;
}

#endif
