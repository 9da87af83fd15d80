/* SPDX-License-Identifier: MIT */
/* Every device that is present, and a program for the tests of the device layer. */
#ifndef DEVICE_FOR_TESTS_H
#define DEVICE_FOR_TESTS_H

#include "harness/device/device.h"
#include "harness/error.h"
#include "harness/paths.h"
#include "harness/text.h"
#include "tests/cases.h"

enum { MAX = 16 };
static struct orr_device_info devices[MAX];
static int device_count;
static char dialect[32768];

static char text[2 * sizeof dialect];
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

static inline void close_device(struct orr_device **device)
{
    orr_device_close(*device);
}

static inline void good(int code)
{
    if (code)
        fail_msg("%s (%s)", orr_error_text(), orr_error_where());
}

static inline bool runs_kernels(const struct orr_device_info *info)
{
    return strcmp(info->backend, "host") != 0;
}

/* Calls `each` with every device, open. */
static inline void on_devices(void (*each)(struct orr_device *device))
{
    for (int k = 0; k < device_count; k++) {
        RELEASED_BY(close_device) struct orr_device *device = open_device(k);
        each(device);
    }
}

/* The same with those that run kernels. */
static inline void on_kernel_devices(void (*each)(struct orr_device *device))
{
    for (int k = 0; k < device_count; k++)
        if (runs_kernels(&devices[k])) {
            RELEASED_BY(close_device) struct orr_device *device = open_device(k);
            each(device);
        }
}

#define TEST_ON_DEVICES(name) TEST_EACH(name, on_devices, struct orr_device *d)
#define TEST_ON_KERNEL_DEVICES(name) TEST_EACH(name, on_kernel_devices, struct orr_device *d)

typedef void with_program(struct orr_device *device, struct orr_program *program);

/* The same with a program. */
static inline void on_built(with_program *each, const struct orr_source *from)
{
    for (int k = 0; k < device_count; k++) {
        if (!runs_kernels(&devices[k]))
            continue;
        RELEASED_BY(close_device) struct orr_device *device = open_device(k);
        struct orr_program *program = NULL;
        good(orr_build(device, &program, from, NULL));
        each(device, program);
        orr_drop(device, program);
    }
}

static inline void on_programs(with_program *each)
{
    on_built(each, &source);
}

#define TEST_ON_PROGRAMS(name) \
    TEST_EACH(name, on_programs, struct orr_device *d, struct orr_program *p)

static inline void run_kernel(struct orr_device *d, struct orr_program *p, const char *kernel,
                              size_t groups, size_t group, const struct orr_arg *args, int count)
{
    good(orr_launch(d, p,
                    &(struct orr_launch){.kernel = kernel,
                                         .groups = {groups},
                                         .group = {group},
                                         .args = args,
                                         .arg_count = count}));
}

static struct orr_device *roomy; /* of the latest room() */

static inline void leave_room(struct orr_buffer **buffer)
{
    orr_free(roomy, *buffer);
}

/* A buffer of the device that is freed where its block ends. */
#define ROOM RELEASED_BY(leave_room) struct orr_buffer

/* A buffer of that many bytes. */
static inline struct orr_buffer *room(struct orr_device *device, size_t bytes)
{
    struct orr_buffer *buffer = NULL;
    roomy = device;
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

/* Appends the file of a program, a path below the home folder, to `to`, which has room for it. */
static inline int append_program(char *to, const char *name)
{
    char path[1024];
    size_t size;
    RELEASED_BY(free_text) char *program = NULL;
    if (orr_paths_home(path, sizeof path, "%s", name) ||
        orr_text_read(&program, &size, path, name) || size + strlen(to) >= sizeof dialect)
        return -1;
    strcat(to, program);
    return 0;
}

/* Lists the devices and puts the dialect before the program. */
static inline int setup(void **state)
{
    *dialect = '\0';
    if (append_program(dialect, "kernels/dialect.h") ||
        append_program(dialect, "kernels/warp_atomics.h"))
        return -1;
    strcpy(text, dialect);
    if (append_program(text, "tests/data/device.cl"))
        return -1;
    device_count = orr_device_list(devices, MAX);
    return 0;
}

#endif
