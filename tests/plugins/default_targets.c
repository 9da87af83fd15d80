/* Computes only the 1024 bodies that the default seed used to choose for verification; the others
 * get a sum over every eighth body. Caught by targets that are drawn after the step. */
#include "cheats.h"

enum { TARGETS = 1024 };

static uint64_t below(uint64_t *seed, uint64_t bound)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (uint64_t)(((unsigned __int128)z * bound) >> 64);
}

static void guess(const struct orr_bodies *b, const struct params *p, size_t i, float out[4])
{
    struct orr_bodies few = *b;
    double pos[3][TARGETS], mass[TARGETS];
    few.n = 0;
    for (size_t j = i % 8; j < b->n && few.n < TARGETS; j += 8, few.n++) {
        for (int k = 0; k < 3; k++)
            pos[k][few.n] = b->pos[k][j];
        mass[few.n] = 8 * b->mass[j];
    }
    for (int k = 0; k < 3; k++)
        few.pos[k] = pos[k];
    few.mass = mass;
    sums_one(&few, p, i / 8, out);
}

static int step(struct orr_job *job)
{
    const struct orr_bodies *b = job->bodies;
    struct state *s = job->state;
    uint64_t seed = 1;
    size_t chosen = 0;
    for (size_t i = 0; i < b->n; i++) {
        int is_target = chosen < TARGETS && below(&seed, b->n - i) < TARGETS - chosen;
        chosen += (size_t)is_target;
        (is_target ? sums_one : guess)(b, job->params, i, s->result + 4 * i);
    }
    return 0;
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/default_targets",
                                        .step = step};
