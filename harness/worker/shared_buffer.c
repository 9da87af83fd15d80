/* SPDX-License-Identifier: MIT */
#include "worker/shared_buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "error.h"
#include "worker/child.h"
#include "verify/verify.h"

/* Before the first, between any two and after the last column of the results, bytes. */
enum { GUARD = 4096, PAGE = 4096 };
static const unsigned char PATTERN = 0xa5;

static size_t round_up(size_t bytes)
{
    return bytes ? (bytes + PAGE - 1) / PAGE * PAGE : PAGE;
}

/* Results: guard, column, guard, column ... guard; a zone begins right behind its column. */
static size_t results_stride(size_t n)
{
    return round_up(n * sizeof(float)) + GUARD;
}

static float *column(const struct orr_shared_buffer *shared, int k)
{
    return (float *)(void *)(shared->results + GUARD + (size_t)k * results_stride(shared->n));
}

/* Inputs: a page that says what the bodies are, then the columns. */
static double *input(const struct orr_shared_buffer *shared, int k)
{
    return (double *)(void *)(shared->inputs + PAGE +
                              (size_t)k * round_up(shared->n * sizeof(double)));
}

static void name_columns(struct orr_shared_buffer *shared)
{
    shared->bodies = *(const struct orr_bodies *)(const void *)shared->inputs;
    shared->bodies.n = shared->n;
    for (int d = 0; d < 3; d++) {
        shared->bodies.pos[d] = input(shared, d);
        shared->bodies.vel[d] = input(shared, 3 + d);
        shared->forces.acc[d] = column(shared, d);
        shared->forces.pos[d] = column(shared, 4 + d);
        shared->forces.vel[d] = column(shared, 7 + d);
    }
    shared->forces.phi = column(shared, 3);
    for (int k = 0; k < ORR_SHARED_MASSES; k++)
        shared->masses[k] = input(shared, 6 + k);
    shared->bodies.mass = shared->masses[0];
}

static size_t inputs_bytes(size_t n)
{
    return PAGE + (6 + ORR_SHARED_MASSES) * round_up(n * sizeof(double));
}

static size_t results_bytes(size_t n)
{
    return GUARD + ORR_VERIFY_COLUMNS * results_stride(n);
}

/* NULL with errno set. */
static char *map_file(int fd, size_t bytes, int protection)
{
    char *at = mmap(NULL, bytes, protection, MAP_SHARED, fd, 0);
    return at == MAP_FAILED ? NULL : at;
}

static int map(struct orr_shared_buffer *shared, size_t n, int protection)
{
    shared->n = n;
    shared->inputs_bytes = inputs_bytes(n);
    shared->results_bytes = results_bytes(n);
    shared->inputs = map_file(shared->bodies_fd, shared->inputs_bytes, protection);
    if (shared->inputs)
        shared->results =
            map_file(shared->results_fd, shared->results_bytes, PROT_READ | PROT_WRITE);
    if (!shared->results)
        return orr_fail(errno == ENOMEM ? ORR_EMEMORY : ORR_EIO,
                        "cannot share the memory of %zu bodies: %s", n, strerror(errno));
    name_columns(shared);
    return 0;
}

static void unmap(struct orr_shared_buffer *shared)
{
    if (shared->inputs)
        munmap(shared->inputs, shared->inputs_bytes);
    if (shared->results)
        munmap(shared->results, shared->results_bytes);
    shared->inputs = shared->results = NULL;
    orr_verify_release_forces(&shared->taken);
}

static int make_file(const char *name, size_t room)
{
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 && (ftruncate(fd, (off_t)room) ||
                    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))) {
        close(fd);
        return -1;
    }
    return fd;
}

int orr_shared_buffer_make(struct orr_shared_buffer *out)
{
    /* More than any bodies need, or what a limit on the size of files leaves. */
    size_t room = (size_t)1 << 42;
    struct rlimit limit;
    if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur < room)
        room = (size_t)limit.rlim_cur;
    *out = (struct orr_shared_buffer){.bodies_fd = make_file("orrery-bodies", room),
                                      .results_fd = make_file("orrery-results", room),
                                      .readable_fd = -1,
                                      .room = room};
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", out->bodies_fd);
    if (out->bodies_fd >= 0)
        out->readable_fd = open(path, O_RDONLY | O_CLOEXEC);
    if (out->results_fd >= 0 && out->readable_fd >= 0)
        return 0;
    return orr_fail(ORR_EIO, "cannot make memory to share: %s", strerror(errno));
}

const int orr_shared_buffer_orders[ORR_SHARED_ORDERS][3] = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0},
                                                            {0, 2, 1}, {1, 2, 0}, {2, 0, 1}};

/* The zone before column k, for k = ORR_VERIFY_COLUMNS the one after the last. */
static unsigned char *zone(const struct orr_shared_buffer *shared, int k, size_t *bytes)
{
    char *from = k ? (char *)column(shared, k - 1) + shared->n * sizeof(float) : shared->results;
    char *to = k < ORR_VERIFY_COLUMNS ? (char *)column(shared, k)
                                      : shared->results + shared->results_bytes;
    *bytes = (size_t)(to - from);
    return (unsigned char *)from;
}

static void fill_guards(struct orr_shared_buffer *shared)
{
    for (int k = 0; k <= ORR_VERIFY_COLUMNS; k++) {
        size_t bytes;
        unsigned char *from = zone(shared, k, &bytes);
        memset(from, PATTERN, bytes);
    }
}

static int remap(struct orr_shared_buffer *shared, size_t n)
{
    unmap(shared);
    if (n > shared->room / sizeof(double) || inputs_bytes(n) > shared->room ||
        results_bytes(n) > shared->room)
        return orr_fail(ORR_EMEMORY, "no memory to share %zu bodies", n);
    const int files[] = {shared->bodies_fd, shared->results_fd};
    const size_t used[] = {inputs_bytes(n), results_bytes(n)};
    for (int k = 0; k < 2; k++) /* gives the memory of the pages behind back */
        if (used[k] < shared->room &&
            fallocate(files[k], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)used[k],
                      (off_t)(shared->room - used[k])))
            return orr_fail(ORR_EIO, "cannot empty shared memory: %s", strerror(errno));
    return orr_verify_make_forces(&shared->taken, n, true) || map(shared, n, PROT_READ | PROT_WRITE)
               ? orr_error_failed()
               : 0;
}

int orr_shared_buffer_resize(struct orr_shared_buffer *shared, size_t n)
{
    int code = shared->results && shared->n == n ? 0 : remap(shared, n);
    if (!code)
        fill_guards(shared);
    return code;
}

/* Copies one column of bodies to where `shift` lends them, times `sign`. */
static void lend(const struct orr_shared_buffer *shared, double *to, const double *from,
                 double sign)
{
    const size_t n = shared->n, wrap = n - shared->shift;
#pragma omp parallel for simd schedule(static) if (n > ORR_VERIFY_MANY)
    for (size_t i = 0; i < n; i++)
        to[i < wrap ? i + shared->shift : i - wrap] = sign * from[i];
}

void orr_shared_buffer_set(struct orr_shared_buffer *shared, const struct orr_bodies *bodies,
                           size_t shift, unsigned mirrored)
{
    shared->shift = shift;
    shared->mirrored = mirrored;
    *(struct orr_bodies *)(void *)shared->inputs =
        (struct orr_bodies){.dimensions = bodies->dimensions,
                            .eps = bodies->eps,
                            .dt = bodies->dt,
                            .corner = {bodies->corner[0], bodies->corner[1]},
                            .edge = bodies->edge,
                            .origin = {bodies->origin[0], bodies->origin[1], bodies->origin[2]}};
    for (int d = 0; d < 3; d++) {
        lend(shared, shared->bodies.pos[d], bodies->pos[d], mirrored >> d & 1 ? -1 : 1);
        lend(shared, shared->bodies.vel[d], bodies->vel[d], mirrored >> d & 1 ? -1 : 1);
    }
    orr_shared_buffer_set_masses(shared, 0, bodies->mass);
}

void orr_shared_buffer_set_masses(struct orr_shared_buffer *shared, int set, const double *masses)
{
    lend(shared, shared->masses[set], masses, 1);
}

/* ORR_EWRONG when something was written before or beyond a column of the results. The zones are
 * filled anew. */
static int check_guards(struct orr_shared_buffer *shared)
{
    for (int k = 0; k <= ORR_VERIFY_COLUMNS; k++) {
        size_t bytes, first, last;
        const unsigned char *from = zone(shared, k, &bytes);
        for (first = 0; first < bytes && from[first] == PATTERN; first++)
            ;
        for (last = bytes; last > first && from[last - 1] == PATTERN; last--)
            ;
        if (first == bytes)
            continue;
        fill_guards(shared);
        /* Before the column where the damage is nearer to it than to the end of the one before. */
        bool beyond = k && (k == ORR_VERIFY_COLUMNS || first < bytes - last);
        return orr_fail(
            ORR_EWRONG, "the variant wrote %s the results: up to %zu bytes %s the %zu values of %s",
            beyond ? "beyond" : "before", beyond ? last : bytes - first,
            beyond ? "after" : "ahead of", shared->n, orr_verify_columns[beyond ? k - 1 : k]);
    }
    return 0;
}

int orr_shared_buffer_take(struct orr_shared_buffer *shared, int order, bool moved, bool has_phi,
                           int dimensions, bool *finite)
{
    struct orr_forces from = {.phi = shared->forces.phi, .has_phi = has_phi};
    if (check_guards(shared))
        return orr_error_code();
    for (int d = 0; d < 3; d++) {
        const int own = orr_shared_buffer_orders[order][d];
        from.acc[own] = shared->forces.acc[d];
        from.pos[own] = moved ? shared->forces.pos[d] : NULL;
        from.vel[own] = moved ? shared->forces.vel[d] : NULL;
    }
    *finite = orr_verify_take(
        &shared->taken, &from,
        &(struct orr_verify_image){shared->n, shared->shift, shared->mirrored, dimensions});
    return 0;
}

int orr_shared_buffer_attach(struct orr_shared_buffer *out, size_t n)
{
    *out = (struct orr_shared_buffer){.bodies_fd = ORR_CHILD_INHERITED,
                                      .results_fd = ORR_CHILD_INHERITED + 1};
    return map(out, n, PROT_READ);
}

void orr_shared_buffer_release(struct orr_shared_buffer *shared)
{
    unmap(shared);
    int files[] = {shared->bodies_fd, shared->results_fd, shared->readable_fd};
    for (size_t k = 0; shared->room && k < sizeof files / sizeof *files; k++)
        if (files[k] >= 0)
            close(files[k]);
    *shared = (struct orr_shared_buffer){0};
}
