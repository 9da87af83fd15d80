#include "datasets/bodies.h"

#include <math.h>
#include <sha256.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

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

void orr_bodies_release(struct orr_bodies *bodies)
{
    for (int k = 0; k < ORR_COLUMNS; k++)
        free(*column(bodies, k));
    memset(bodies, 0, sizeof *bodies);
}

void orr_bodies_round(struct orr_bodies *bodies)
{
    for (int k = 0; k < ORR_COLUMNS; k++) {
        double *values = *column(bodies, k);
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

/* A position as floats; adding zero makes -0 the same place as +0. */
static void place(const struct orr_bodies *bodies, size_t i, float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (float)bodies->pos[k][i] + 0.0f;
}

/* FNV-1a over the three words, then a multiplicative finish so that the low bits depend on all of
 * them. */
static uint64_t place_hash(const float position[3])
{
    uint64_t hash = 1469598103934665603u;
    for (int k = 0; k < 3; k++) {
        uint32_t bits;
        memcpy(&bits, &position[k], sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    hash ^= hash >> 29;
    hash *= 0xbf58476d1ce4e5b9u;
    return hash ^ hash >> 32;
}

int orr_bodies_coincident(const struct orr_bodies *bodies, size_t *first, size_t *second)
{
    size_t slots = 16;
    while (slots < 2 * bodies->n)
        slots *= 2;
    size_t *table = calloc(slots, sizeof *table); /* index + 1; 0 is empty */
    if (!table)
        return orr_fail(ORR_EMEMORY, "not enough memory to look for coincident bodies among %zu",
                        bodies->n);
    int found = 0;
    for (size_t i = 0; i < bodies->n && !found; i++) {
        float mine[3], other[3];
        place(bodies, i, mine);
        size_t slot = place_hash(mine) & (slots - 1);
        for (; table[slot] && !found; slot = (slot + 1) & (slots - 1)) {
            place(bodies, table[slot] - 1, other);
            if (mine[0] == other[0] && mine[1] == other[1] && mine[2] == other[2]) {
                *first = table[slot] - 1;
                *second = i;
                found = 1;
            }
        }
        table[slot] = i + 1;
    }
    free(table);
    return found;
}

static void hash_doubles(SHA2_CTX *context, const double *values, size_t count)
{
    unsigned char bytes[512 * sizeof(double)];
    for (size_t done = 0; done < count;) {
        size_t used = 0;
        for (; done < count && used < sizeof bytes; done++) {
            uint64_t bits;
            memcpy(&bits, &values[done], sizeof bits);
            for (int b = 0; b < 8; b++)
                bytes[used++] = (unsigned char)(bits >> (8 * b));
        }
        SHA256Update(context, bytes, used);
    }
}

void orr_bodies_sha256(const struct orr_bodies *bodies, char hex[65])
{
    SHA2_CTX context;
    SHA256Init(&context);
    hash_doubles(&context, (double[]){(double)bodies->n, bodies->dimensions}, 2);
    for (int k = 0; k < ORR_COLUMNS; k++)
        hash_doubles(&context, orr_bodies_column(bodies, k), bodies->n);
    SHA256End(&context, hex);
}
