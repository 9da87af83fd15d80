/* SPDX-License-Identifier: MIT */
/* Boxes divided among ranks along the Z-order curve, and what each needs of the others: the bodies
 * of boxes beside its own. Every rank knows the boxes of all bodies, so both sides of a message
 * agree without asking. */
#ifndef SHAN_HALO_H
#define SHAN_HALO_H

#include "shan.h"

struct shan_halo {
    uint32_t first_box, last_box; /* own boxes, the last not among them; alone: all */
    size_t first, last;           /* own bodies along the curve, likewise */
    double across;                /* ordered near pairs of bodies of two ranks, of all ranks */
    int messages;
    struct {
        int peer;
        size_t sends, sent_at;        /* bodies that it gets, and where they begin in `out` */
        size_t receives, received_at; /* that it gives, in `in` */
    } with[ORR_MAX_RANKS];
    size_t sends, receives;                  /* bodies in all */
    struct orr_buffer *out, *in;             /* float4, packed */
    struct orr_buffer *out_index, *in_index; /* u32: place along the curve */
};

/* Divides the boxes by their pairs, and lists what is exchanged; needs lists of all neighbours.
 * ORR_EUNSUPPORTED where a rank would have no body. */
int shan_halo_make(struct orr_job *job, struct shan_halo *halo, const struct shan_boxes *boxes);
/* Of the lists by direction of the own boxes, the opposite directions become the boxes of other
 * ranks there that have bodies, then -1: those that no team here meets for both. */
void shan_halo_list_across(const struct shan_halo *halo, struct shan_boxes *boxes);
/* Queues it: packs, exchanges, and puts into `body` what came. `program`: kernels/shan_order.cl. */
int shan_halo_exchange(struct orr_job *job, const struct shan_halo *halo, struct orr_buffer *body,
                       struct orr_program *program);
/* Accepts a zeroed one, and leaves it so. */
void shan_halo_release(struct orr_job *job, struct shan_halo *halo);

#endif
