/* How many groups a device can hold at once decides into how many shares the sources of a direct
 * sum, bodies j, are split, whose sums are added in the end. */
#ifndef VARIANTS_SHARES_H
#define VARIANTS_SHARES_H

#include "harness/device/device.h"

struct shares_input {
    size_t groups;      /* groups that one share takes: bodies i over the bodies of a group */
    size_t tiles;       /* tiles that all bodies j take */
    size_t tile;        /* bodies in a tile */
    size_t slots;       /* groups that the device runs at the same time */
    size_t overhead;    /* of starting and ending a group, in bodies j of one group */
    size_t longest;     /* bodies of a share beyond which a sum over it loses digits */
    size_t most_shares; /* what the memory for partial sums allows */
};

/* ceil(a / b) and a rounded up to a multiple of b, which counts bodies, lanes or shares and is
 * never 0. */
static inline size_t shares_divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b; /* NOLINT(clang-analyzer-core.DivideZero): see above */
}
static inline size_t shares_round_up(size_t a, size_t b)
{
    return shares_divide_up(a, b) * b;
}

/* Multiprocessors or cores. */
static inline size_t shares_units(const struct orr_device_info *info)
{
    return info->compute_units > 0 ? (size_t)info->compute_units : 1;
}

/* 512 threads live in a multiprocessor when each has up to 128 of its 65536 registers. */
static inline size_t shares_resident_groups(size_t block)
{
    return block < 512 ? 512 / block : 1;
}

/* As many bodies a thread, at most `most`, as leave two groups for every multiprocessor, were each
 * of `tiles` a share.
 */
static inline size_t shares_choose_bodies(size_t most, size_t n, size_t block, size_t tiles,
                                          size_t units)
{
    size_t bodies = most;

    while (bodies > 1 && shares_divide_up(n, block * bodies) * tiles < 2 * units)
        bodies /= 2;
    return bodies;
}

/* Groups run in waves of `slots`; the last wave is as long as a full one. In bodies j of one slot.
 */
static inline double shares_estimate(const struct shares_input *in, size_t shares)
{
    enum { ADDING_A_SHARE = 16 }; /* bodies j of one group that reading a share's sums costs */
    size_t share = shares_divide_up(in->tiles, shares) * in->tile;
    size_t waves = shares_divide_up(in->groups * shares, in->slots);
    double reduce = (double)(in->groups * shares * ADDING_A_SHARE) / (double)in->slots;

    return (double)waves * (double)(share + in->overhead) + (shares > 1 ? reduce : 0);
}

/* The number of shares with the least estimated time. A share is whole tiles, at least one; never a
 * share without work.
 */
static inline size_t shares_choose(const struct shares_input *in)
{
    size_t most = in->tiles < in->most_shares ? in->tiles : in->most_shares;
    size_t least = shares_divide_up(in->tiles * in->tile, in->longest), best;

    /* More shares than fill the device some times over only cost. */
    if (most > 8 * in->slots + least)
        most = 8 * in->slots + least;
    best = least < most ? least : most;
    for (size_t shares = best + 1; shares <= most; shares++)
        if (shares_estimate(in, shares) < shares_estimate(in, best))
            best = shares;
    /* The last share must not be empty: 10 tiles in 6 shares of 2 are 5 shares. */
    return shares_divide_up(in->tiles, shares_divide_up(in->tiles, best));
}

#endif
