/* SPDX-License-Identifier: MIT */
/* The memory that a variant is lent, shared by the referee, which owns it, and a worker: bodies,
 * which the worker cannot write, and results between guard zones. Its files never change their
 * size, or the referee would crash where a worker had cut them short. */
#ifndef ORR_LENT_H
#define ORR_LENT_H

#include <stdbool.h>
#include <stddef.h>

#include "datasets/bodies.h"
#include "run/verify.h"
#include "variant.h"

/* Sets of masses, so that steps that follow one another at once have different ones. */
enum { ORR_LENT_MASSES = 4 };

/* Orders of the axes, of which the first two leave z where it is. */
enum { ORR_LENT_ORDERS = 6, ORR_LENT_FLAT_ORDERS = 2 };
extern const int orr_lent_orders[ORR_LENT_ORDERS][3];

struct orr_lent {
    int bodies_fd, results_fd; /* memory files */
    int readable_fd; /* the bodies', read-only: what a worker inherits. -1 in the worker */
    size_t n;
    char *inputs, *results; /* NULL: nothing is mapped */
    size_t inputs_bytes, results_bytes;
    size_t room; /* bytes of each file, of which only those have memory that were written */
    struct orr_bodies bodies; /* columns within `inputs`, mass the first set; n */
    double *masses[ORR_LENT_MASSES];
    struct orr_forces forces; /* columns within `results` */
    struct orr_forces taken;  /* the referee's copy */
    size_t shift;             /* body (i + shift) mod n of those lent is body i of the referee's */
    unsigned mirrored;        /* axes whose sign is changed, a bit each */
};

/* The referee's: makes both files, empty. ORR_EIO. Release it whatever is returned. */
int orr_lent_make(struct orr_lent *out);
/* Maps the room for n bodies, gives back what memory the files have beyond it, and fills the guard
 * zones. Columns hold anything: place the bodies and poison the results. A worker must hold
 * nothing of it meanwhile. */
int orr_lent_resize(struct orr_lent *lent, size_t n);
/* Lends these bodies, shifted and mirrored, with the first set of masses. The forces are the same
 * but for rounding, shifted and mirrored too; a tree, a list of pairs or a distance that was kept
 * from another image of the bodies is wrong. */
void orr_lent_place(struct orr_lent *lent, const struct orr_bodies *bodies, size_t shift,
                    unsigned mirrored);
/* Lends n masses as that set, shifted like the bodies. */
void orr_lent_place_masses(struct orr_lent *lent, int set, const double *masses);
/* The referee's own copy of the results, which no worker can change any more: 4 columns, or with
 * `moved` all, of the bodies as they were before they were shifted and mirrored and had their axes
 * in that order. It lasts until the next one, or another size. Whether all of it is finite. */
bool orr_lent_take(struct orr_lent *lent, int order, bool moved, bool has_phi, int dimensions);
/* The worker's: maps the inherited files (child.h) for n bodies. Detach it. */
int orr_lent_attach(struct orr_lent *out, size_t n);
void orr_lent_detach(struct orr_lent *lent);
void orr_lent_release(struct orr_lent *lent);

/* ORR_EWRONG when something was written before or beyond a column of the results. The zones are
 * filled anew. */
int orr_lent_check_guards(struct orr_lent *lent);

#endif
