/* SPDX-License-Identifier: MIT */
/* Splits the bodies j of a direct sum into shares, so that a small system fills a big device. The
 * sums over the shares are added in the end. */
#ifndef VARIANTS_COMMON_J_SPLIT_H
#define VARIANTS_COMMON_J_SPLIT_H

#include "harness/device/device.h"

struct j_split_input {
    size_t groups;      /* groups that one share takes: bodies i over the bodies of a group */
    size_t tiles;       /* tiles that all bodies j take */
    size_t tile;        /* bodies in a tile */
    size_t slices;      /* parts of a tile that threads of one group meet apart; 0: one */
    size_t slots;       /* groups that the device runs at the same time */
    size_t overhead;    /* of starting and ending a group, in bodies j of one group */
    double passing;     /* of two barriers and a tile between them, in the same */
    size_t adding;      /* of another launch, which adds the shares, in the same */
    size_t longest;     /* bodies of a share beyond which a sum over it loses digits */
    size_t most_shares; /* what the memory for partial sums allows */
};

/* ceil(a / b) and a rounded up to a multiple of b, which counts bodies, lanes or shares and is
 * never 0. */
size_t j_split_divide_up(size_t a, size_t b);

size_t j_split_round_up(size_t a, size_t b);

/* Multiprocessors or cores. */
size_t j_split_units(const struct orr_device_info *info);

/* Bytes of local memory that a kernel may declare: CUDA gives more only where a launch asks. 0:
 * unknown. */
size_t j_split_declared_local(const struct orr_device_info *info);

/* 512 threads live in a multiprocessor when each has up to 128 of its 65536 registers. */
size_t j_split_resident_groups(size_t block);

/* Bodies a thread, at most `most`, that leave two groups for every multiprocessor if each tile is
 * a share. */
size_t j_split_choose_bodies(size_t most, size_t n, size_t block, size_t tiles, size_t units);

/* The time of so many shares, in bodies j that a thread meets. Groups run in waves of `slots`; the
 * last wave is as long as a full one. */
double j_split_estimate(const struct j_split_input *in, size_t shares);

/* The number of shares with the least estimated time. A share is whole tiles, at least one; never a
 * share without work.
 */
size_t j_split_choose(const struct j_split_input *in);

#endif
