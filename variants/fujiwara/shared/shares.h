/* How many groups a device can hold at once decides into how many shares the bodies j are split. */
#ifndef FUJI_SHARES_H
#define FUJI_SHARES_H

#include <stddef.h>

struct fuji_shares_input {
    size_t groups;      /* groups that one share takes: bodies i over the bodies of a group */
    size_t tiles;       /* tiles that all bodies j take */
    size_t tile;        /* bodies in a tile */
    size_t slots;       /* groups that the device runs at the same time */
    size_t overhead;    /* of starting and ending a group, in bodies j of one group */
    size_t most_shares; /* what the memory for partial sums allows */
};

/* The number of shares with the least estimated time. A share is whole tiles, at least one; never a share without work.
 */
size_t fuji_choose_shares(const struct fuji_shares_input *in);

#endif
