/* SPDX-License-Identifier: MIT */
/* Bodies in vectors of VECTOR lanes that know which body each lane is. A softened pair then leaves
 * out the lanes of `self`: a body does not act on itself, by index and not by distance, since two
 * bodies at one place do act on each other. Without softening neither does anything, and nothing
 * needs to be told apart. */
#ifndef LANE
#define LANE \
    int /* of one body; as wide as a lane of `real`, which a choice between vectors asks for */
#endif
#if VECTOR == 1
typedef LANE lanes;
#else
typedef ORR_JOIN(LANE, VECTOR) lanes;
#endif

/* The reciprocal root of a pair, in which the lanes of `self` count nothing. */
#if SOFTENED
#define PAIR_RSQRT_BUT(self, x) ((self) ? REAL(0.0f) : RSQRT(x))
#else
#define PAIR_RSQRT_BUT(self, x) PAIR_RSQRT(x)
#endif

/* The index of a lane without a body of its own: -1 in the build that counts, else that of the body
 * which it stands for. */
#define LANE_OF_NOBODY(otherwise) (ORRERY_COUNT ? -1 : (otherwise))

#if ORRERY_COUNT
/* How many lanes hold a body below n other than j. */
INLINE i32 lanes_but(lanes index, i32 j, i32 n)
{
    i32 one[VECTOR], sum = 0;

    REAL_STORE(index, one, 0);
    for (i32 lane = 0; lane < VECTOR; lane++)
        sum += one[lane] >= 0 && one[lane] < n && one[lane] != j;
    return sum;
}
#endif

/* Body j acts on the lanes of bodies below n: on those that ask for it and on others. It is padding
 * where j is negative or not below n. */
#define COUNT_BODY(counts, index, j, n) \
    do { \
        COUNT(counts, ORR_CP, (j) >= 0 && (j) < (n) ? lanes_but(index, j, n) : 0); \
        COUNT(counts, ORR_CX, VECTOR - ((j) >= 0 && (j) < (n) ? lanes_but(index, j, n) : 0)); \
    } while (0)
/* A cell does, or, where not `acts`, padding. */
#define COUNT_CELL_OR_NONE(counts, acts, index) \
    do { \
        COUNT(counts, ORR_CN, (acts) ? lanes_but(index, -1, 0x7fffffff) : 0); \
        COUNT(counts, ORR_CY, VECTOR - ((acts) ? lanes_but(index, -1, 0x7fffffff) : 0)); \
    } while (0)
#define COUNT_CELL(counts, index) COUNT_CELL_OR_NONE(counts, 1, index)
