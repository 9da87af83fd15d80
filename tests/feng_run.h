/* SPDX-License-Identifier: MIT */
/* Forces of the device variants of feng against direct sums, for the tests of what they compute. */
#ifndef ORR_TEST_FENG_RUN_H
#define ORR_TEST_FENG_RUN_H

#include "feng_bodies.h"
#include "variant_run.h"

/* Mean error of the forces relative to the sum of the terms' lengths; each must be below `most`. */
static inline double check_forces(const struct run *r, const char *what, double most)
{
    const struct orr_bodies *b = r->job.bodies;
    struct sum *direct = expect(b, 0);
    double mean = 0;

    assert_false(r->out.has_phi);
    for (size_t i = 0; i < b->n; i++) {
        const double error = distance(r->out.acc, direct, i), size = direct[i].size;
        if (!(error <= most * size + 1e-35))
            fail_msg("%s on %s, %s, n = %zu, body %zu: off by %g of %g", r->variant->name,
                     r->job.device->info.id, what, b->n, i, error, size);
        mean += size > 0 ? error / size / (double)b->n : 0;
    }
    free(direct);
    return mean;
}

static inline void *words_of(const struct run *r, struct orr_buffer *from, size_t words)
{
    return fetched(r, from, 4 * words);
}

#endif
