/* SPDX-License-Identifier: MIT */
#include "datasets/bodies.h"

#include <endian.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "error.h"
#include "memory.h"

const char *const orr_bodies_columns[ORR_COLUMNS] = {"x", "y", "z", "vx", "vy", "vz", "mass"};

static double **column(struct orr_bodies *bodies, int k)
{
    return k < 3 ? &bodies->pos[k] : k < 6 ? &bodies->vel[k - 3] : &bodies->mass;
}

double *orr_bodies_column(const struct orr_bodies *bodies, int k)
{
    return k < 3 ? bodies->pos[k] : k < 6 ? bodies->vel[k - 3] : bodies->mass;
}

int orr_bodies_make(struct orr_bodies *bodies, size_t n, int dimensions)
{
    memset(bodies, 0, sizeof *bodies);
    if (dimensions != 2 && dimensions != 3)
        return orr_fail(ORR_EINTERNAL, "bodies in %d dimensions; 2 or 3 can be made", dimensions);
    for (int k = 0; k < ORR_COLUMNS; k++) {
        double *values = n <= SIZE_MAX / 64 ? calloc(n ? n : 1, sizeof *values) : NULL;
        if (!values) {
            orr_bodies_release(bodies);
            return orr_fail(ORR_EMEMORY, "not enough memory for %zu bodies (%.1f GB)", n,
                            (double)n * 56e-9);
        }
        *column(bodies, k) = values;
    }
    bodies->n = n;
    bodies->dimensions = dimensions;
    return 0;
}

int orr_bodies_widen(struct orr_bodies *bodies, size_t room)
{
    bool fits = true;
    for (int k = 0; k < ORR_COLUMNS && fits; k++) {
        double *wider = realloc(*column(bodies, k), room * sizeof *wider);
        fits = wider != NULL;
        *column(bodies, k) = fits ? wider : *column(bodies, k);
    }
    uint64_t *ids = bodies->id && fits ? realloc(bodies->id, room * sizeof *ids) : bodies->id;
    fits = fits && (ids || !bodies->id);
    bodies->id = fits ? ids : bodies->id;
    return fits ? 0 : orr_fail(ORR_EMEMORY, "not enough memory for %zu bodies", room);
}

int orr_bodies_add_types(struct orr_bodies *bodies)
{
    bodies->type = malloc(bodies->n ? bodies->n : 1);
    if (!bodies->type)
        return orr_fail(ORR_EMEMORY, "not enough memory for the types of %zu bodies", bodies->n);
    memset(bodies->type, ORR_DARK, bodies->n);
    return 0;
}

int orr_bodies_add_ids(struct orr_bodies *bodies)
{
    bodies->id = calloc(bodies->n ? bodies->n : 1, sizeof *bodies->id);
    return bodies->id
               ? 0
               : orr_fail(ORR_EMEMORY, "not enough memory for the ids of %zu bodies", bodies->n);
}

void orr_bodies_note(struct orr_bodies *bodies, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *line = orr_memory_format(format, arguments);
    va_end(arguments);
    size_t used = bodies->notes ? strlen(bodies->notes) : 0, size = strlen(line) + 2;
    bodies->notes = orr_memory_more(bodies->notes, used + size);
    snprintf(bodies->notes + used, size, "%s\n", line);
    free(line);
}

void orr_bodies_release(struct orr_bodies *bodies)
{
    for (int k = 0; k < ORR_COLUMNS; k++)
        free(*column(bodies, k));
    free(bodies->type);
    free(bodies->id);
    free(bodies->notes);
    free(bodies->source);
    memset(bodies, 0, sizeof *bodies);
}

void orr_bodies_round(struct orr_bodies *bodies)
{
    for (int k = 0; k < ORR_COLUMNS; k++) {
        double *values = *column(bodies, k);
#pragma omp parallel for simd schedule(static) if (bodies->n > ORR_BODIES_MANY)
        for (size_t i = 0; i < bodies->n; i++)
            values[i] = (double)(float)values[i];
    }
}

int orr_bodies_check(const struct orr_bodies *bodies)
{
    for (int k = 0; k < ORR_COLUMNS; k++) {
        const double *values = orr_bodies_column(bodies, k);
        for (size_t i = 0; i < bodies->n; i++)
            if (!isfinite(values[i]))
                return orr_fail(
                    ORR_EINPUT, "body %zu (counted from 0): %s is %s; every value must be finite",
                    i, orr_bodies_columns[k], isnan(values[i]) ? "not a number" : "infinite");
    }
    for (size_t i = 0; i < bodies->n; i++)
        if (bodies->mass[i] < 0)
            return orr_fail(ORR_EINPUT,
                            "body %zu (counted from 0): mass is %g; it must not be negative", i,
                            bodies->mass[i]);
    return 0;
}

/* Adding zero makes -0 the same place as +0. */
static void place(const struct orr_bodies *bodies, size_t i, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = bodies->pos[k][i] + 0.0;
}

/* FNV-1a over the three words, then a multiplicative finish so that the low bits depend on all of
 * them. */
static uint64_t place_hash(const double position[3])
{
    uint64_t hash = 1469598103934665603u;
    for (int k = 0; k < 3; k++) {
        uint64_t bits;
        memcpy(&bits, &position[k], sizeof bits);
        hash = (hash ^ bits >> 29 ^ bits) * 1099511628211u;
    }
    hash ^= hash >> 29;
    hash *= 0xbf58476d1ce4e5b9u;
    return hash ^ hash >> 32;
}

static bool at_one_place(const struct orr_bodies *bodies, size_t i, size_t j)
{
    double a[3], b[3];
    place(bodies, i, a);
    place(bodies, j, b);
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* The body that stands in the table where body i belongs, at whose place i is; SIZE_MAX: nobody
 * was, and i stands there now. Slots hold a body's number + 1; 0 is empty. */
static size_t put(uint32_t *table, size_t slots, const struct orr_bodies *bodies, size_t i)
{
    double mine[3];
    place(bodies, i, mine);
    for (size_t slot = place_hash(mine) & (slots - 1);; slot = (slot + 1) & (slots - 1)) {
        uint32_t found = 0;
        if (__atomic_compare_exchange_n(&table[slot], &found, (uint32_t)i + 1, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return SIZE_MAX;
        if (at_one_place(bodies, i, found - 1))
            return found - 1;
    }
}

static uint32_t *make_table(size_t *slots, size_t n)
{
    *slots = 16;
    while (*slots < 2 * n)
        *slots *= 2;
    uint32_t *table = n < UINT32_MAX ? calloc(*slots, sizeof *table) : NULL;
    if (!table)
        orr_fail(ORR_EMEMORY, "not enough memory to look for coincident bodies among %zu", n);
    return table;
}

int orr_bodies_coincident(const struct orr_bodies *bodies, size_t *first, size_t *second)
{
    size_t slots, n = bodies->n, other = SIZE_MAX;
    uint32_t *table = make_table(&slots, n);
    if (!table)
        return ORR_EMEMORY;
    int found = 0;
#pragma omp parallel for schedule(static) reduction(| : found) if (n > ORR_BODIES_MANY)
    for (size_t i = 0; i < n; i++)
        found |= put(table, slots, bodies, i) != SIZE_MAX;
    if (found) /* in their order, to name the same two whatever the threads did */
        memset(table, 0, slots * sizeof *table);
    for (size_t i = 0; i < n && found && other == SIZE_MAX; i++) {
        other = put(table, slots, bodies, i);
        *first = other;
        *second = i;
    }
    free(table);
    return found;
}

/* As little-endian bytes. */
static void hash_doubles(struct orr_digest *digest, const double *values, size_t count)
{
    unsigned char bytes[512 * sizeof(double)];
    for (size_t done = 0; done < count;) {
        size_t used = 0;
        for (; done < count && used < sizeof bytes; done++) {
            uint64_t bits;
            memcpy(&bits, &values[done], sizeof bits);
            bits = htole64(bits);
            memcpy(bytes + used, &bits, sizeof bits);
            used += sizeof bits;
        }
        orr_digest_add(digest, bytes, used);
    }
}

void orr_bodies_sha256(const struct orr_bodies *bodies, char hex[65])
{
    struct orr_digest digest;
    orr_digest_begin(&digest);
    hash_doubles(&digest, (double[]){(double)bodies->n, bodies->dimensions}, 2);
    for (int k = 0; k < ORR_COLUMNS; k++)
        hash_doubles(&digest, orr_bodies_column(bodies, k), bodies->n);
    orr_digest_end(&digest, hex);
}
