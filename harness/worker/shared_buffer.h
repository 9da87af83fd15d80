/* SPDX-License-Identifier: MIT */
/* The memory that the referee, which owns it, and a worker share: bodies, which the worker cannot
 * write, and results between guard zones. Its files never change their
 * size, or the referee would crash where a worker had cut them short. */
#ifndef ORR_SHARED_BUFFER_H
#define ORR_SHARED_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#include "datasets/bodies.h"
#include "verify/verify.h"
#include "variant.h"

/* Sets of masses, so that steps that follow one another at once have different ones. */
enum { ORR_SHARED_MASSES = 4 };

/* Orders of the axes, of which the first two leave z where it is. */
enum { ORR_SHARED_ORDERS = 6, ORR_SHARED_FLAT_ORDERS = 2 };
extern const int orr_shared_buffer_orders[ORR_SHARED_ORDERS][3];

struct orr_shared_buffer {
    int bodies_fd, results_fd; /* memory files */
    int readable_fd;           /* the bodies', read-only: what a worker inherits */
    size_t n;
    char *inputs, *results; /* NULL: nothing is mapped */
    size_t inputs_bytes, results_bytes;
    size_t room; /* bytes of each file, 0 in the worker, of which only those have memory that were
                    written */
    /* Columns within `inputs`, mass the first set; what variants see of bodies besides is that of
     * the latest that were set when this was mapped. */
    struct orr_bodies bodies;
    double *masses[ORR_SHARED_MASSES];
    struct orr_forces forces; /* columns within `results` */
    struct orr_forces taken;  /* the referee's copy */
    size_t shift;      /* body (i + shift) mod n of those shared is body i of the referee's */
    unsigned mirrored; /* axes whose sign is changed, a bit each */
};

/* The referee's: makes both files, empty. ORR_EIO. Release it whatever is returned. */
int orr_shared_buffer_make(struct orr_shared_buffer *out);
/* Maps the room for n bodies, gives back what memory the files have beyond it, and fills the guard
 * zones. Columns hold anything: place the bodies and poison the results. A worker must hold
 * nothing of it meanwhile. */
int orr_shared_buffer_resize(struct orr_shared_buffer *shared, size_t n);
/* Shares these bodies, shifted and mirrored, with the first set of masses. The forces are the same
 * but for rounding, shifted and mirrored too; a tree, a list of pairs or a distance that was kept
 * from another image of the bodies is wrong. */
void orr_shared_buffer_set(struct orr_shared_buffer *shared, const struct orr_bodies *bodies,
                           size_t shift, unsigned mirrored);
/* Shares n masses as that set, shifted like the bodies. */
void orr_shared_buffer_set_masses(struct orr_shared_buffer *shared, int set, const double *masses);
/* The referee's own copy of the results, which no worker can change any more: 4 columns, or with
 * `moved` all, of the bodies as they were before they were shifted and mirrored and had their axes
 * in that order. It lasts until the next one, or another size. *finite: all of it is. ORR_EWRONG
 * when something was written before or beyond a column of the results. */
int orr_shared_buffer_take(struct orr_shared_buffer *shared, int order, bool moved, bool has_phi,
                           int dimensions, bool *finite);
/* The worker's: maps the inherited files (child.h) for n bodies. */
int orr_shared_buffer_attach(struct orr_shared_buffer *out, size_t n);
/* Unmaps; the referee's files end, those that a worker inherited stay for the next bodies. */
void orr_shared_buffer_release(struct orr_shared_buffer *shared);

#endif
