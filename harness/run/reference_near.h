/* The reference of a near field: the other bodies in a body's own box and the up to 8 adjacent
 * ones of the 2^level x 2^level boxes (boxes.h; Shan & Lei 2012, section II A), in the plane. */
#ifndef ORR_REFERENCE_NEAR_H
#define ORR_REFERENCE_NEAR_H

#include "datasets/boxes.h"
#include "run/reference.h"

/* Which bodies are in which box: found once for bodies that stay where they are. */
struct orr_reference_near {
    struct orr_boxes boxes;
    size_t n;
    uint32_t *order; /* the bodies, box by box, row by row of boxes; ascending in a box */
    size_t *start;   /* side * side + 1: box b has order[start[b]] to order[start[b + 1] - 1] */
};

/* Release it whatever is returned. ORR_EMEMORY. */
int orr_reference_near_make(struct orr_reference_near *out, const struct orr_bodies *bodies,
                            int level);
void orr_reference_near_release(struct orr_reference_near *near);
/* Ordered pairs of bodies that are near, self pairs left out. */
double orr_reference_near_pairs(const struct orr_reference_near *near);

/* As orr_reference_make_each(): one for each of `sets` masses of the bodies that the boxes were
 * made of. */
int orr_reference_make_near(struct orr_reference *out, const struct orr_reference_near *near,
                            const struct orr_sources *sources, int sets,
                            const struct orr_targets *targets);

#endif
