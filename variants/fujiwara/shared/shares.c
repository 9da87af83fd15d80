#include "shares.h"

#include "fujiwara.h"

/* A single fp32 sum over more bodies than this loses digits that the device has. */
enum { LONGEST_SHARE = 16384, ADDING_A_SHARE = 16 /* bodies j of one group that reading a share's sums costs */ };

/* Groups run in waves of `slots`; the last wave is as long as a full one. In bodies j of one slot. */
static double estimate(const struct fuji_shares_input *in, size_t shares)
{
    size_t share = fuji_divide_up(in->tiles, shares) * in->tile;
    size_t waves = fuji_divide_up(in->groups * shares, in->slots);
    double reduce = (double)(in->groups * shares * ADDING_A_SHARE) / (double)in->slots;

    return (double)waves * (double)(share + in->overhead) + (shares > 1 ? reduce : 0);
}

size_t fuji_choose_shares(const struct fuji_shares_input *in)
{
    size_t most = in->tiles < in->most_shares ? in->tiles : in->most_shares;
    size_t least = fuji_divide_up(in->tiles * in->tile, LONGEST_SHARE), best;

    /* More shares than fill the device some times over only cost. */
    if (most > 8 * in->slots + least)
        most = 8 * in->slots + least;
    best = least < most ? least : most;
    for (size_t shares = best + 1; shares <= most; shares++)
        if (estimate(in, shares) < estimate(in, best))
            best = shares;
    /* The last share must not be empty: 10 tiles in 6 shares of 2 are 5 shares. */
    return fuji_divide_up(in->tiles, fuji_divide_up(in->tiles, best));
}
