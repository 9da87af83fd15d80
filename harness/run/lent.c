/* SPDX-License-Identifier: MIT */
#include "run/lent.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "error.h"
#include "run/child.h"
#include "run/verify.h"

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

static float *column(const struct orr_lent *lent, int k)
{
    return (float *)(void *)(lent->results + GUARD + (size_t)k * results_stride(lent->n));
}

static double *input(const struct orr_lent *lent, int k)
{
    return (double *)(void *)(lent->inputs + (size_t)k * round_up(lent->n * sizeof(double)));
}

static void name_columns(struct orr_lent *lent)
{
    lent->bodies.n = lent->n;
    for (int d = 0; d < 3; d++) {
        lent->bodies.pos[d] = input(lent, d);
        lent->bodies.vel[d] = input(lent, 3 + d);
        lent->forces.acc[d] = column(lent, d);
        lent->forces.pos[d] = column(lent, 4 + d);
        lent->forces.vel[d] = column(lent, 7 + d);
    }
    lent->forces.phi = column(lent, 3);
    for (int k = 0; k < ORR_LENT_MASSES; k++)
        lent->masses[k] = input(lent, 6 + k);
    lent->bodies.mass = lent->masses[0];
}

static size_t inputs_bytes(size_t n)
{
    return (6 + ORR_LENT_MASSES) * round_up(n * sizeof(double));
}

static size_t results_bytes(size_t n)
{
    return GUARD + ORR_VERIFY_COLUMNS * results_stride(n);
}

static int map(struct orr_lent *lent, size_t n, int protection)
{
    lent->inputs_bytes = inputs_bytes(n);
    lent->results_bytes = results_bytes(n);
    char *inputs = mmap(NULL, lent->inputs_bytes, protection, MAP_SHARED, lent->bodies_fd, 0);
    char *results =
        mmap(NULL, lent->results_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, lent->results_fd, 0);
    if (inputs != MAP_FAILED && results != MAP_FAILED) {
        lent->n = n;
        lent->inputs = inputs;
        lent->results = results;
        name_columns(lent);
        return 0;
    }
    int cause = errno;
    if (inputs != MAP_FAILED)
        munmap(inputs, lent->inputs_bytes);
    if (results != MAP_FAILED)
        munmap(results, lent->results_bytes);
    return orr_fail(cause == ENOMEM ? ORR_EMEMORY : ORR_EIO,
                    "cannot share the memory of %zu bodies: %s", n, strerror(cause));
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

int orr_lent_make(struct orr_lent *out)
{
    /* More than any bodies need, or what a limit on the size of files leaves. */
    size_t room = (size_t)1 << 42;
    struct rlimit limit;
    if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur < room)
        room = (size_t)limit.rlim_cur;
    *out = (struct orr_lent){.bodies_fd = make_file("orrery-bodies", room),
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

const int orr_lent_orders[ORR_LENT_ORDERS][3] = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0},
                                                 {0, 2, 1}, {1, 2, 0}, {2, 0, 1}};

/* The zone before column k, for k = ORR_VERIFY_COLUMNS the one after the last. */
static unsigned char *zone(const struct orr_lent *lent, int k, size_t *bytes)
{
    char *from = k ? (char *)column(lent, k - 1) + lent->n * sizeof(float) : lent->results;
    char *to =
        k < ORR_VERIFY_COLUMNS ? (char *)column(lent, k) : lent->results + lent->results_bytes;
    *bytes = (size_t)(to - from);
    return (unsigned char *)from;
}

static void fill_guards(struct orr_lent *lent)
{
    for (int k = 0; k <= ORR_VERIFY_COLUMNS; k++) {
        size_t bytes;
        unsigned char *from = zone(lent, k, &bytes);
        memset(from, PATTERN, bytes);
    }
}

static int remap(struct orr_lent *lent, size_t n)
{
    orr_lent_detach(lent);
    if (n > lent->room / sizeof(double) || inputs_bytes(n) > lent->room ||
        results_bytes(n) > lent->room)
        return orr_fail(ORR_EMEMORY, "no memory to share %zu bodies", n);
    const int files[] = {lent->bodies_fd, lent->results_fd};
    const size_t used[] = {inputs_bytes(n), results_bytes(n)};
    for (int k = 0; k < 2; k++) /* gives the memory of the pages behind back */
        if (used[k] < lent->room && fallocate(files[k], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                              (off_t)used[k], (off_t)(lent->room - used[k])))
            return orr_fail(ORR_EIO, "cannot empty shared memory: %s", strerror(errno));
    return orr_verify_make_forces(&lent->taken, n, true) || map(lent, n, PROT_READ | PROT_WRITE)
               ? orr_error_failed()
               : 0;
}

int orr_lent_resize(struct orr_lent *lent, size_t n)
{
    int code = lent->inputs && lent->n == n ? 0 : remap(lent, n);
    if (!code)
        fill_guards(lent);
    return code;
}

/* Copies one column of bodies to where `shift` lends them, times `sign`. */
static void lend(const struct orr_lent *lent, double *to, const double *from, double sign)
{
    const size_t n = lent->n, wrap = n - lent->shift;
#pragma omp parallel for simd schedule(static) if (n > ORR_VERIFY_MANY)
    for (size_t i = 0; i < n; i++)
        to[i < wrap ? i + lent->shift : i - wrap] = sign * from[i];
}

void orr_lent_place(struct orr_lent *lent, const struct orr_bodies *bodies, size_t shift,
                    unsigned mirrored)
{
    lent->shift = shift;
    lent->mirrored = mirrored;
    for (int d = 0; d < 3; d++) {
        lend(lent, lent->bodies.pos[d], bodies->pos[d], mirrored >> d & 1 ? -1 : 1);
        lend(lent, lent->bodies.vel[d], bodies->vel[d], mirrored >> d & 1 ? -1 : 1);
    }
    orr_lent_place_masses(lent, 0, bodies->mass);
}

void orr_lent_place_masses(struct orr_lent *lent, int set, const double *masses)
{
    lend(lent, lent->masses[set], masses, 1);
}

bool orr_lent_take(struct orr_lent *lent, int order, bool moved, bool has_phi, int dimensions)
{
    struct orr_forces from = {.phi = lent->forces.phi, .has_phi = has_phi};
    for (int d = 0; d < 3; d++) {
        const int own = orr_lent_orders[order][d];
        from.acc[own] = lent->forces.acc[d];
        from.pos[own] = moved ? lent->forces.pos[d] : NULL;
        from.vel[own] = moved ? lent->forces.vel[d] : NULL;
    }
    return orr_verify_take(
        &lent->taken, &from,
        &(struct orr_verify_image){lent->n, lent->shift, lent->mirrored, dimensions});
}

int orr_lent_attach(struct orr_lent *out, size_t n)
{
    *out = (struct orr_lent){
        .bodies_fd = ORR_CHILD_LENT, .results_fd = ORR_CHILD_LENT + 1, .readable_fd = -1};
    return map(out, n, PROT_READ);
}

void orr_lent_detach(struct orr_lent *lent)
{
    if (lent->inputs) {
        munmap(lent->inputs, lent->inputs_bytes);
        munmap(lent->results, lent->results_bytes);
    }
    lent->inputs = lent->results = NULL;
    orr_verify_release_forces(&lent->taken);
}

void orr_lent_release(struct orr_lent *lent)
{
    orr_lent_detach(lent);
    int files[] = {lent->bodies_fd, lent->results_fd, lent->readable_fd};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        if (files[k] >= 0)
            close(files[k]);
    *lent = (struct orr_lent){.bodies_fd = -1, .results_fd = -1, .readable_fd = -1};
}

int orr_lent_check_guards(struct orr_lent *lent)
{
    for (int k = 0; k <= ORR_VERIFY_COLUMNS; k++) {
        size_t bytes, first, last;
        const unsigned char *from = zone(lent, k, &bytes);
        for (first = 0; first < bytes && from[first] == PATTERN; first++)
            ;
        for (last = bytes; last > first && from[last - 1] == PATTERN; last--)
            ;
        if (first == bytes)
            continue;
        fill_guards(lent);
        /* Before the column where the damage is nearer to it than to the end of the one before. */
        bool beyond = k && (k == ORR_VERIFY_COLUMNS || first < bytes - last);
        return orr_fail(
            ORR_EWRONG, "the variant wrote %s the results: up to %zu bytes %s the %zu values of %s",
            beyond ? "beyond" : "before", beyond ? last : bytes - first,
            beyond ? "after" : "ahead of", lent->n, orr_verify_columns[beyond ? k - 1 : k]);
    }
    return 0;
}
