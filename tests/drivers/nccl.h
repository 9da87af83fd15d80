/* SPDX-License-Identifier: MIT */
/* What a test tells the NCCL of nccl.c, and what that has seen. */
#ifndef FAKE_NCCL_H
#define FAKE_NCCL_H

enum { FAKE_NCCL_VERSION = 22803, FAKE_NCCL_INVALID = 5 };
struct fake_nccl {
    int refuses;        /* what it answers to all that connects ranks or moves bytes; 0: it works */
    const void *stream; /* of the latest verb */
};

#endif
