/* SPDX-License-Identifier: MIT */
#include "variants/common/j_split.h"

#include <string.h>

size_t j_split_divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b; /* NOLINT(clang-analyzer-core.DivideZero): see above */
}

size_t j_split_round_up(size_t a, size_t b)
{
    return j_split_divide_up(a, b) * b;
}

size_t j_split_units(const struct orr_device_info *info)
{
    return info->compute_units > 0 ? (size_t)info->compute_units : 1;
}

size_t j_split_declared_local(const struct orr_device_info *info)
{
    const size_t most = 49152;

    return !strcmp(info->backend, "cuda") && info->local_bytes > most ? most : info->local_bytes;
}

size_t j_split_resident_groups(size_t block)
{
    return block < 512 ? 512 / block : 1;
}

size_t j_split_choose_bodies(size_t most, size_t n, size_t block, size_t tiles, size_t units)
{
    size_t bodies = most;

    while (bodies > 1 && j_split_divide_up(n, block * bodies) * tiles < 2 * units)
        bodies /= 2;
    return bodies;
}

double j_split_estimate(const struct j_split_input *in, size_t shares)
{
    enum { ADDING_A_SHARE = 16 }; /* bodies j of one group that reading a share's sums costs */
    size_t tiles = j_split_divide_up(in->tiles, shares);
    size_t share = tiles * in->tile / (in->slices ? in->slices : 1);
    size_t waves = j_split_divide_up(in->groups * shares, in->slots);
    double reduce = (double)(in->groups * shares * ADDING_A_SHARE) / (double)in->slots;
    double wave = (double)(share + in->overhead) + (double)tiles * in->passing;

    return (double)waves * wave + (shares > 1 ? reduce + (double)in->adding : 0);
}

size_t j_split_choose(const struct j_split_input *in)
{
    size_t most = in->tiles < in->most_shares ? in->tiles : in->most_shares;
    size_t least = j_split_divide_up(in->tiles * in->tile, in->longest), best;

    /* More shares than fill the device some times over only cost. */
    if (most > 8 * in->slots + least)
        most = 8 * in->slots + least;
    best = least < most ? least : most;
    for (size_t shares = best + 1; shares <= most; shares++)
        if (j_split_estimate(in, shares) < j_split_estimate(in, best))
            best = shares;
    /* The last share must not be empty: 10 tiles in 6 shares of 2 are 5 shares. */
    return j_split_divide_up(in->tiles, j_split_divide_up(in->tiles, best));
}
