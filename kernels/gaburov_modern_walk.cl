/* SPDX-License-Identifier: MIT */
/* Forces from the octree of kernels/gaburov_modern.cl. A group takes LANES * BODIES * VECTOR bodies
 * in a row by key and walks the tree once for all of them: a cell acts as a whole where it is far
 * from the smallest box around the group's bodies.
 *
 * Opened cells, whose children are to be looked at, lie on a stack in local memory; each thread
 * takes a child of one of the topmost. Children that are far go to one list, those that are leaves
 * to another, the rest are opened and go to the stack; votes say where. A group is WARPS teams of
 * BLOCK threads, of which every LANES hold all of its bodies. A list with LIST entries a team is
 * worked off: each team brings its share of the cells, or of the leaves' bodies, to local memory,
 * and each of its parts, LANES threads, meets every (BLOCK / LANES)-th of them. At the end the
 * parts' sums are added up.
 *
 * With EXPAND far cells that are far in terms of the group's size, too, go to a list of their own
 * and act by the group's field (gaburov_expansion.h): a thread adds a cell, or VECTOR of them, to
 * the series, whose value is each body's at the end.
 *
 * With LOW=1 positions are pairs of floats, and so are centres of mass. Bodies meet bodies by
 * these; cells act in single precision, seen from the group's centre. */
#ifndef BLOCK
#define BLOCK 32
#endif
#ifndef WARPS
#define WARPS 1
#endif
#ifndef LANES
#define LANES BLOCK
#endif
#ifndef BODIES
#define BODIES 2
#endif
/* Entries of each list, for each team. */
#ifndef LIST
#define LIST 64
#endif
#ifndef EXPAND
#define EXPAND 0
#endif
/* Entries, for each team, of the list of cells that act by the field. */
#ifndef WIDE
#define WIDE (4 * LIST)
#endif
/* Cells of a part in one round of its loop, and of a thread that brings them; of bodies twice as
 * many act at once. */
#ifndef ROUND
#define ROUND 1
#endif
/* 1: groups walk for parts of so many bodies (gaburov_parts.cl). */
#ifndef CUT
#define CUT 0
#endif
#define THREADS (BLOCK * WARPS)
#define PARTS (BLOCK / LANES) /* of a team */
#define GROUP_BODIES (LANES * BODIES * VECTOR)
#if BLOCK > 32
#error "a vote has 32 bits"
#endif
#include "gaburov_count.h"
#include "gaburov_opening.h"
#include "gaburov_expansion.h"
#include "boxes.h"
#include "lanes.h"
#include "low.h"
#ifndef QUADRUPOLE
#define QUADRUPOLE 1
#endif
#if 2 * LIST < 3 * BLOCK || PARTS > 8 || WARPS > 16 || \
    (PARTS * WARPS > 1 && BLOCK * VECTOR > 2 * LIST)
#error "a team's local memory is too small"
#endif

/* Of an opened cell EIGHT threads look at the children, which stand in a row: fewer threads than
 * eight at one part of them after another. Opened children go to the stack while there is room
 * below HIGH for eight of each cell taken; above, one cell at a time is taken, which goes depth
 * first and needs seven entries a level. */
#define LEVELS 21
#define EIGHT (THREADS < 8 ? THREADS : 8)
#define HIGH (THREADS > 128 ? THREADS : 128)
#define STACK (HIGH + 7 * LEVELS + 1)

/* Distances are known to so much of the group's box. Far cells are further than that and than
 * NEAREST_FAR from every body of the group, so that a pair needs no look at its distance. */
#define SLACK 1e-6f

struct own {
    real x[BODIES], y[BODIES], z[BODIES], ax[BODIES], ay[BODIES], az[BODIES], phi[BODIES];
    PAIRS_ONLY(struct low_part low[BODIES];)
    lanes index[BODIES];
};

/* A box, and, for the opening test of the 2010 code, mass and mass times position from where the
 * box began. */
struct box {
    float4 low, high, moment;
};

INLINE void reach(struct box *b, float4 low, float4 high)
{
    b->low = lowest(b->low, low);
    b->high = highest(b->high, high);
}

/* Bodies i ... i + VECTOR - 1 by key; beyond the last body the last one again, whose sums are
 * not stored. */
INLINE void load(struct own *b, i32 k, struct box *box, GLOBAL const float4 *body, i32 i, i32 n,
                 float4 about LOW_PARAM COUNT_PARAMETER(counts))
{
    float x[VECTOR], y[VECTOR], z[VECTOR];
    i32 index[VECTOR];

    UNROLL
    for (i32 lane = 0; lane < VECTOR; lane++) {
        const float4 one = COUNTED(counts, ORR_GR, 4, body[min(i + lane, n - 1)]);
        const float mass = i + lane < n ? one.w : 0.0f;
        x[lane] = one.x;
        y[lane] = one.y;
        z[lane] = one.z;
        index[lane] = i + lane < n ? i + lane : LANE_OF_NOBODY(n - 1);
        reach(box, one, one);
        box->moment.x = FMA(mass, one.x - about.x, box->moment.x);
        box->moment.y = FMA(mass, one.y - about.y, box->moment.y);
        box->moment.z = FMA(mass, one.z - about.z, box->moment.z);
        box->moment.w += mass;
    }
    b->x[k] = REAL_LOAD(x, 0);
    b->y[k] = REAL_LOAD(y, 0);
    b->z[k] = REAL_LOAD(z, 0);
    PAIRS_ONLY(b->low[k] = COUNTED(counts, ORR_GR, 4 * VECTOR, low_at(low, i, 1, n - 1));)
    b->index[k] = REAL_LOAD(index, 0);
    b->ax[k] = b->ay[k] = b->az[k] = b->phi[k] = REAL(0.0f);
}

/* Unites the boxes of a team's threads, thread t the caller. `words`: 3 BLOCK, of the team. */
INLINE void gather(LOCAL_POINTER(float4) words, i32 t, struct box *box)
{
    words[t] = box->low;
    words[BLOCK + t] = box->high;
    words[2 * BLOCK + t] = box->moment;
    UNROLL_BY(1)
    for (i32 distance = BLOCK / 2; distance > 0; distance /= 2) {
        GROUP_BARRIER(BLOCK);
        if (t < distance) {
            struct box both;
            both.low = words[t];
            both.high = words[BLOCK + t];
            reach(&both, words[t + distance], words[BLOCK + t + distance]);
            const float4 a = words[2 * BLOCK + t], b = words[2 * BLOCK + t + distance];
            words[t] = both.low;
            words[BLOCK + t] = both.high;
            words[2 * BLOCK + t] = MAKE_FLOAT4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
        }
    }
    GROUP_BARRIER(BLOCK);
    box->low = words[0];
    box->high = words[BLOCK];
    box->moment = words[2 * BLOCK];
    GROUP_BARRIER(BLOCK);
}

/* The group as gaburov_opening.h describes it. */
INLINE void target(float4 *centre, float4 *edges, const struct box *box, float4 about)
{
    const float x = 0.5f * box->low.x + 0.5f * box->high.x,
                y = 0.5f * box->low.y + 0.5f * box->high.y;
    const float z = 0.5f * box->low.z + 0.5f * box->high.z;
    const float hx = max(box->high.x - x, x - box->low.x),
                hy = max(box->high.y - y, y - box->low.y);
    const float hz = max(box->high.z - z, z - box->low.z), widest = max(hx, max(hy, hz));
    const float4 sum = box->moment;
    float off_centre = 0.0f;

    if (OPENING == 0 && sum.w > 0.0f) {
        const float dx = about.x + sum.x / sum.w - x, dy = about.y + sum.y / sum.w - y,
                    dz = about.z + sum.z / sum.w - z;
        const float square = FMA(dx, dx, FMA(dy, dy, dz * dz));
        off_centre = square > 1.2e-38f ? square * RSQRT(square) : 0.0f;
    }
    *centre = MAKE_FLOAT4(x, y, z, FMA(SLACK, widest, off_centre));
    *edges = OPENING ? MAKE_FLOAT4(hx, hy, hz, 0.0f) : MAKE_FLOAT4(widest, widest, widest, 0.0f);
}

/* What a team brings to local memory, and the place of its threads. */
struct team {
    LOCAL_POINTER(float4) first;  /* LIST: bodies, or cells' centres of mass and masses */
    LOCAL_POINTER(float4) second; /* LIST: qxx qyy qzz qxy; of bodies that are pairs low parts */
    LOCAL_POINTER(float2) third;  /* LIST: qxz qyz */
    LOCAL_POINTER(float) trace;   /* LIST, with softening: traces */
    LOCAL_POINTER(i32) index;     /* LIST: of bodies */
    LOCAL_POINTER(u32) starts;    /* LIST */
    LOCAL_POINTER(u32) words;     /* BLOCK */
    LOCAL_POINTER(u64) tally;     /* WARPS, of all teams */
    LOCAL_POINTER(float) field;   /* FIELD, with EXPAND */
    i32 number, t, part;
};

/* The smallest multiple of `of` that is no less than x. */
INLINE i32 round_up(i32 x, i32 of)
{
    return (x + of - 1) / of * of;
}

/* Sums over all teams of what each gives, the same in all its threads; *before: those of the teams
 * before. */
INLINE u64 sum_of_teams(const struct team *m, u64 own, u64 *before)
{
    u64 all = own;

    *before = 0;
#if WARPS > 1
    all = 0;
    if (m->t == 0)
        m->tally[m->number] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL
    for (i32 team = 0; team < WARPS; team++) {
        const u64 one = m->tally[team];
        *before += team < m->number ? one : 0;
        all += one;
    }
#endif
    return all;
}

#if WARPS > 1
#define TEAMS_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define TEAMS_BARRIER() GROUP_BARRIER(BLOCK)
#endif

#include "team_rounds.h"

/* Of `count` entries the team's: those from *from on. */
INLINE i32 share_of(const struct team *m, i32 count, i32 *from)
{
    const i32 each = (count + WARPS - 1) / WARPS;

    *from = min(m->number * each, count);
    return min(each, count - *from);
}

#define TRACED (QUADRUPOLE && SOFTENED)
#define CELL_WORDS ((QUADRUPOLE ? 10 : 4) + TRACED + 3 * PAIRS)
#define MOMENTS (3 + PAIRS) /* float4 of a cell */
/* Where a body may lie on a cell's centre of mass, by the cell's box. */
#define NODE_MAY_TOUCH (OPENING == MINIMUM_DISTANCE)
#define NODE_RSQRT (NODE_MAY_TOUCH ? PAIR_RSQRT(r2) : RSQRT(r2))
/* The far cells in list[0 ... count - 1] act. */
INLINE void meet_cells(struct own *b, const struct team *m, LOCAL_POINTER(i32) list, i32 count,
                       GLOBAL const float4 *moments,
                       float eps2 PAIRS_PARAM(float4, point) COUNT_PARAMETER(counts))
{
    const i32 whole = round_up(count, ROUND * PARTS);

    UNROLL_BY(ROUND)
    for (i32 k = m->t; k < whole; k += BLOCK) {
        const i32 c = list[min(k, count - 1)];
#if PAIRS
        const float4 com = seen_from(point, moments[MOMENTS * c], moments[MOMENTS * c + 3]);
#else
        const float4 com = moments[MOMENTS * c];
#endif
        COUNT(counts, ORR_GR, k < count ? CELL_WORDS : 0);
        COUNT(counts, ORR_SW, k < count ? CELL_WORDS : 0);
        m->first[k] = MAKE_FLOAT4(com.x, com.y, com.z, k < count ? com.w : 0.0f);
        if (QUADRUPOLE) {
            const float4 u = moments[MOMENTS * c + 1], v = moments[MOMENTS * c + 2];
            const float acts = k < count ? 1.0f : 0.0f;
            m->second[k] = MAKE_FLOAT4(acts * u.x, acts * u.y, acts * u.z, acts * u.w);
            m->third[k] = MAKE_FLOAT2(acts * v.x, acts * v.y);
            if (TRACED)
                m->trace[k] = acts * v.z;
        }
    }
    GROUP_BARRIER(BLOCK);
    UNROLL_BY(1)
    for (i32 at = m->part; at < whole; at += ROUND * PARTS) {
        UNROLL
        for (i32 r = 0; r < ROUND; r++) {
            const i32 q = at + r * PARTS;
            const float4 com = m->first[q];
            COUNT(counts, ORR_SR, q < count ? CELL_WORDS : 0);
            UNROLL
            for (i32 k = 0; k < BODIES; k++)
                COUNT_CELL_OR_NONE(counts, q < count, b->index[k]);
            if (QUADRUPOLE) {
                const float4 u = m->second[q];
                const float2 v = m->third[q];
#if TRACED
                const float trace = m->trace[q];
#define NODE_ACTS(ax, ay, az, phi, xi, yi, zi, xj, yj, zj, mj, qxx, qyy, qzz, qxy, qxz, qyz) \
    PAIR_NODE_TRACED_WITH(ax, ay, az, phi, xi, yi, zi, xj, yj, zj, mj, qxx, qyy, qzz, qxy, qxz, \
                          qyz, REAL(trace), REAL(eps2), r2, NODE_RSQRT)
#else
#define NODE_ACTS(ax, ay, az, phi, xi, yi, zi, xj, yj, zj, mj, qxx, qyy, qzz, qxy, qxz, qyz) \
    PAIR_NODE_WITH(ax, ay, az, phi, xi, yi, zi, xj, yj, zj, mj, qxx, qyy, qzz, qxy, qxz, qyz, \
                   REAL(eps2), r2, NODE_RSQRT)
#endif
                UNROLL
                for (i32 k = 0; k < BODIES; k++)
                    NODE_ACTS(b->ax[k], b->ay[k], b->az[k], b->phi[k], PAIRS_SEEN(x, b, k, point),
                              PAIRS_SEEN(y, b, k, point), PAIRS_SEEN(z, b, k, point), com.x, com.y,
                              com.z, REAL(com.w), REAL(u.x), REAL(u.y), REAL(u.z), REAL(u.w),
                              REAL(v.x), REAL(v.y));
            } else {
                UNROLL
                for (i32 k = 0; k < BODIES; k++)
                    PAIR_WITH(b->ax[k], b->ay[k], b->az[k], b->phi[k], PAIRS_SEEN(x, b, k, point),
                              PAIRS_SEEN(y, b, k, point), PAIRS_SEEN(z, b, k, point), com.x, com.y,
                              com.z, com.w, REAL(eps2), r2, NODE_RSQRT);
            }
        }
    }
    GROUP_BARRIER(BLOCK);
}

/* The `count` bodies brought act. `close`, a constant where called: with softening the thread's own
 * may be among them; without, one may be where one of the group's is. */
#define BODY_ROUND (2 * ROUND * PARTS < 8 ? 2 * ROUND : 8 / PARTS)
INLINE void meet_bodies(struct own *b, const struct team *m, i32 count, i32 close,
                        float eps2 COUNT_PARAMETER(counts))
{
    const i32 round = close ? 1 : BODY_ROUND; /* few are close */

    UNROLL_BY(1)
    for (i32 at = m->part; at < count; at += round * PARTS) {
        UNROLL
        for (i32 r = 0; r < round; r++) {
            const i32 q = at + r * PARTS;
            const float4 other = COUNTED(counts, ORR_SR, 4, m->first[q]);
            PAIRS_ONLY(const float4 rest = COUNTED(counts, ORR_SR, 4, m->second[q]);)
            UNROLL
            for (i32 k = 0; k < BODIES; k++) {
                COUNT_BODY(counts, b->index[k], m->index[q], 0x7fffffff);
                const lanes self =
                    SOFTENED && close ? b->index[k] == (lanes)(m->index[q]) : (lanes)(0);
                PAIR_PARTS_WITH(b->ax[k], b->ay[k], b->az[k], b->phi[k], b->x[k], b->y[k], b->z[k],
                                b->low[k], other.x, other.y, other.z, rest, other.w, REAL(eps2), r2,
                                close ? PAIR_RSQRT_BUT(self, r2) : RSQRT(r2));
            }
        }
    }
}

/* The body at `place` among those of `count` leaves: starts[e] of them come before leaf e. */
INLINE i32 body_at(LOCAL_POINTER(u32) starts, LOCAL_POINTER(i32) first, i32 count, i32 place)
{
    i32 leaf = 0;

    UNROLL
    for (i32 further = LIST / 2; further > 0; further /= 2)
        if (leaf + further < count && (i32)starts[leaf + further] <= place)
            leaf += further;
    return first[leaf] + place - (i32)starts[leaf];
}

/* A group of bodies, as they stand by key and as gaburov_opening.h describes it. */
struct target {
    i32 from, to;
    float4 centre, edges;
    float2 pulls; /* gaburov_pulls.cl: of reaches, of distances by the field */
    /* With EXPAND: cells whose squared distance from the centre is at least `nearest`, and `growth`
     * times the cell's own number, and at most `furthest`, act by the field; one over the group's
     * radius. */
    float nearest, growth, furthest, scale;
};

/* A group without extent, or so small that powers of the distances have no room in single
 * precision, has no field. */
#define SMALLEST_RADIUS 1e-15f
/* In radii. Other tests let light cells act that are long for their distance: at 1.58 radii many of
 * them together err. */
#define NEAREST_FIELD (OPENING == EQUAL_ERROR ? 1.58f : 2.0f)
#define FURTHEST 1e5f
#define SOFT 3.0f /* in softening lengths */
/* Of a softened cell M the series lacks traces, about M d^3 eps^2 / r^7 times so much: as if the
 * error were M d^3 (d^2 + SOFT_TRACES eps^2) / r^7. */
#define SOFT_TRACES 30.0f

INLINE void set_field(struct target *group, const struct box *box, float eps2)
{
    const float x = box->high.x - box->low.x, y = box->high.y - box->low.y,
                z = box->high.z - box->low.z;
    const float square = 0.25f * FMA(x, x, FMA(y, y, z * z));
    const i32 within = square > SMALLEST_RADIUS * SMALLEST_RADIUS && square < 1e36f;

    group->growth = expansion_power(square, 3.0f / 7.0f) *
                    expansion_power(FMA(SOFT_TRACES, eps2, square), 2.0f / 7.0f) * group->pulls.y;
    group->nearest = max(NEAREST_FIELD * NEAREST_FIELD * square, SOFT * SOFT * eps2);
    group->furthest = within ? FURTHEST * FURTHEST * square : -1.0f;
    group->scale = within ? RSQRT(square) : 0.0f;
}

/* Whether a far cell acts by the field. */
INLINE i32 expands(float4 cell, float spread, const struct target *group)
{
    const float dx = cell.x - group->centre.x, dy = cell.y - group->centre.y,
                dz = cell.z - group->centre.z;
    const float square = FMA(dx, dx, FMA(dy, dy, dz * dz));

    return (square >= max(group->nearest, spread * group->growth)) & (square <= group->furthest);
}

/* Whether a body may act on itself, or be too near one of the group's for a reciprocal root: the
 * group's box is of high parts, so that any may be whose positions are pairs. */
INLINE i32 is_close(float4 body, i32 j, const struct target *group)
{
    const float4 point = MAKE_FLOAT4(body.x, body.y, body.z, NEAREST_FAR),
                 none = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);

    return SOFTENED ? j >= group->from && j < group->to
           : PAIRS  ? 1
                    : opens(point, none, group->centre, group->edges);
}

/* The bodies of the team's `count` of at most `most` leaves, which begin with body first[] and have
 * held[], act. Returns how many they are. */
INLINE i32 meet_leaves(struct own *b, const struct team *m, LOCAL_POINTER(i32) first,
                       LOCAL_POINTER(i32) held, i32 count, i32 most, GLOBAL const float4 *body,
                       const struct target *group, float eps2 LOW_PARAM COUNT_PARAMETER(counts))
{
    const i32 t = m->t;
    u32 total = 0;

    UNROLL_BY(1)
    for (i32 tile = 0; tile < most; tile += BLOCK) {
        const i32 k = tile + t;
        const u32 before = GROUP_SUM_BEFORE(m->words, BLOCK, k < count ? (u32)held[k] : 0, &total);
        if (k < count)
            m->starts[k] = before;
    }
    COUNT(counts, ORR_CB, t == 0 ? total : 0);
    GROUP_BARRIER(BLOCK);
    const i32 end = most_of_teams(m, (i32)total);
    for (i32 at = 0; at < end; at += LIST) {
        const i32 here = max(min(LIST, (i32)total - at), 0);
        const i32 whole = round_up(here, BODY_ROUND * PARTS);
        i32 close = 0;
        UNROLL_BY(ROUND)
        for (i32 k = t; k < whole; k += BLOCK) {
            const i32 j = body_at(m->starts, first, count, at + min(k, here - 1));
            float4 other = COUNTED(counts, ORR_GR, 4, body[j]);
            if (k >= here)
                other.w = 0.0f;
            close |= is_close(other, j, group);
            COUNTED(counts, ORR_SW, 4, m->first[k] = other);
            PAIRS_ONLY(
                COUNTED(counts, ORR_SW, 4, m->second[k] = COUNTED(counts, ORR_GR, 4, low[j]));)
            m->index[k] = k < here ? j : LANE_OF_NOBODY(j);
        }
        GROUP_BARRIER(BLOCK);
        /* Not if and else: between barriers PoCL 5 does not compile loops in both. */
        const i32 any = GROUP_VOTE(m->words, BLOCK, close) != 0;
        meet_bodies(b, m, any ? whole : 0, 1, eps2 COUNT_PASS(counts));
        meet_bodies(b, m, any ? 0 : whole, 0, eps2 COUNT_PASS(counts));
        GROUP_BARRIER(BLOCK);
    }
    return (i32)total;
}

#if EXPAND
/* A number of the field is summed in SUMS parts, each by one thread of FOLD. */
#define FOLD (BLOCK % 8 ? 1 : 8)
#define SUMS (BLOCK / FOLD)
#define FIELD (EXPANSION_TERMS * SUMS)
#define ROWS 16 /* numbers of all threads in the team's local memory at once */
#if ROWS * BLOCK > 8 * LIST
#error "a team's local memory is too small"
#endif

/* Adds the first `count`, a constant, of the threads' numbers to those of the team's field. */
INLINE void add_to_field(const struct team *m, LOCAL_POINTER(float) field, const real *sum,
                         i32 count)
{
    LOCAL_POINTER(float) words = (LOCAL_POINTER(float))m->first;

    UNROLL
    for (i32 from = 0; from < count; from += ROWS) {
        const i32 rows = min(ROWS, count - from);
        UNROLL
        for (i32 k = 0; k < rows; k++)
            words[k * BLOCK + m->t] = REAL_SUM(sum[from + k]);
        GROUP_BARRIER(BLOCK);
        UNROLL
        for (i32 k = 0; k * BLOCK < rows * SUMS; k++) {
            const i32 at = k * BLOCK + m->t;
            if (at < rows * SUMS) {
#if FOLD == 8
                const float4 a = m->first[2 * at], b = m->first[2 * at + 1];
                field[from * SUMS + at] +=
                    ((a.x + a.y) + (a.z + a.w)) + ((b.x + b.y) + (b.z + b.w));
#else
                field[from * SUMS + at] += words[at];
#endif
            }
        }
        GROUP_BARRIER(BLOCK);
    }
}

/* VECTOR cells in units of the group; those beyond the list's end have no mass. */
struct cells {
    real x, y, z, mass;
};

INLINE void cells_at(struct cells *c, LOCAL_POINTER(i32) list, i32 at, i32 count,
                     GLOBAL const float4 *moments, const struct target *group)
{
    float x[VECTOR], y[VECTOR], z[VECTOR], mass[VECTOR];

    UNROLL
    for (i32 lane = 0; lane < VECTOR; lane++) {
        const i32 cell = MOMENTS * list[min(at + lane, count - 1)];
        const float4 com = moments[cell];
        PAIRS_ONLY(const float4 rest = moments[cell + 3];)
        x[lane] = group->scale * ((com.x - group->centre.x) PAIRS_PLUS(rest.x));
        y[lane] = group->scale * ((com.y - group->centre.y) PAIRS_PLUS(rest.y));
        z[lane] = group->scale * ((com.z - group->centre.z) PAIRS_PLUS(rest.z));
        mass[lane] = at + lane < count ? com.w : 0.0f;
    }
    c->x = REAL_LOAD(x, 0);
    c->y = REAL_LOAD(y, 0);
    c->z = REAL_LOAD(z, 0);
    c->mass = REAL_LOAD(mass, 0);
}

/* The cells in list[0 ... count - 1] act by the field: what needs their quadrupoles, */
INLINE void expand_low(const struct team *m, LOCAL_POINTER(i32) list, i32 count,
                       GLOBAL const float4 *moments, const struct target *group,
                       float eps2 COUNT_PARAMETER(counts))
{
    const float square = group->scale * group->scale;
    real sum[EXPANSION_LOW];

    UNROLL
    for (i32 k = 0; k < EXPANSION_LOW; k++)
        sum[k] = REAL(0.0f);
    UNROLL_BY(1)
    for (i32 at = m->t * VECTOR; at < count; at += BLOCK * VECTOR) {
        struct cells c;
        cells_at(&c, list, at, count, moments, group);
        float xx[VECTOR], yy[VECTOR], zz[VECTOR], xy[VECTOR], xz[VECTOR], yz[VECTOR];
        UNROLL
        for (i32 lane = 0; lane < VECTOR; lane++) {
            const float by = QUADRUPOLE && at + lane < count ? square : 0.0f;
            const i32 cell = list[min(at + lane, count - 1)];
            const float4 u = moments[MOMENTS * cell + QUADRUPOLE],
                         v = moments[MOMENTS * cell + 2 * QUADRUPOLE];
            COUNT(counts, ORR_GR, at + lane < count ? CELL_WORDS : 0);
            COUNT(counts, ORR_CE, at + lane < count);
            xx[lane] = by * u.x;
            yy[lane] = by * u.y;
            zz[lane] = by * u.z;
            xy[lane] = by * u.w;
            xz[lane] = by * v.x;
            yz[lane] = by * v.y;
        }
        expansion_add_low(sum, c.x, c.y, c.z, c.mass, REAL_LOAD(xx, 0), REAL_LOAD(yy, 0),
                          REAL_LOAD(zz, 0), REAL_LOAD(xy, 0), REAL_LOAD(xz, 0), REAL_LOAD(yz, 0),
                          REAL(square * eps2));
    }
    add_to_field(m, m->field, sum, EXPANSION_LOW);
}

/* and the rest, apart because all sums together would have too many registers. */
INLINE void expand_high(const struct team *m, LOCAL_POINTER(i32) list, i32 count,
                        GLOBAL const float4 *moments, const struct target *group,
                        float eps2 COUNT_PARAMETER(counts))
{
    real sum[EXPANSION_HIGH];

    UNROLL
    for (i32 k = 0; k < EXPANSION_HIGH; k++)
        sum[k] = REAL(0.0f);
    UNROLL_BY(1)
    for (i32 at = m->t * VECTOR; at < count; at += BLOCK * VECTOR) {
        struct cells c;
        cells_at(&c, list, at, count, moments, group);
        COUNT(counts, ORR_GR, at < count ? 4 * min(VECTOR, count - at) : 0);
        expansion_add_high(sum, c.x, c.y, c.z, c.mass, REAL(group->scale * group->scale * eps2));
    }
    add_to_field(m, m->field + SUMS * EXPANSION_LOW, sum, EXPANSION_HIGH);
}
#endif

/* Adds the sums of all parts of all teams to those of the first. `words`: 4 THREADS VECTOR. */
INLINE void add_parts(struct own *b, LOCAL_POINTER(float) words, i32 lane, i32 part)
{
#if PARTS * WARPS > 1
    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        const i32 own = 4 * (part * LANES + lane);
        barrier(CLK_LOCAL_MEM_FENCE);
        REAL_STORE(b->ax[k], words, own);
        REAL_STORE(b->ay[k], words, own + 1);
        REAL_STORE(b->az[k], words, own + 2);
        REAL_STORE(b->phi[k], words, own + 3);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (i32 other = 1; other < PARTS * WARPS && part == 0; other++) {
            const i32 at = 4 * (other * LANES + lane);
            b->ax[k] += REAL_LOAD(words, at);
            b->ay[k] += REAL_LOAD(words, at + 1);
            b->az[k] += REAL_LOAD(words, at + 2);
            b->phi[k] += REAL_LOAD(words, at + 3);
        }
    }
#endif
}

/* The sums, to where the bodies are in the input. */
INLINE void store(const struct own *b, GLOBAL float4 *acc, GLOBAL const u32 *order, i32 i,
                  i32 n COUNT_PARAMETER(counts))
{
    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        float ax[VECTOR], ay[VECTOR], az[VECTOR], phi[VECTOR];
        REAL_STORE(b->ax[k], ax, 0);
        REAL_STORE(b->ay[k], ay, 0);
        REAL_STORE(b->az[k], az, 0);
        REAL_STORE(b->phi[k], phi, 0);
        UNROLL
        for (i32 lane = 0; lane < VECTOR; lane++)
            if (i + k * LANES * VECTOR + lane < n) {
                COUNT(counts, ORR_IR, 1);
                COUNT(counts, ORR_GW, 4);
                acc[order[i + k * LANES * VECTOR + lane]] =
                    MAKE_FLOAT4(ax[lane], ay[lane], az[lane], phi[lane]);
            }
    }
}

#if EXPAND
/* The group's bodies, whose sums are stored, get the field of all teams: each thread one of them,
 * or VECTOR. `sum`: EXPANSION_TERMS. */
INLINE void add_field(GLOBAL float4 *acc, GLOBAL const u32 *order, GLOBAL const float4 *body,
                      LOCAL_POINTER(float) fields, LOCAL_POINTER(float) sum,
                      const struct target *group LOW_PARAM COUNT_PARAMETER(counts))
{
    const real scale = REAL(group->scale), square = scale * scale;

    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 k = get_local_id(0); k < EXPANSION_TERMS; k += THREADS) {
        float total = 0.0f;
        UNROLL_BY(1)
        for (i32 team = 0; team < WARPS; team++)
            for (i32 part = 0; part < SUMS; part++)
                total += fields[team * FIELD + k * SUMS + part];
        sum[k] = total;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    UNROLL_BY(1)
    for (i32 i = group->from + get_local_id(0) * VECTOR; i < group->to; i += THREADS * VECTOR) {
        float x[VECTOR], y[VECTOR], z[VECTOR], phi[VECTOR], own[EXPANSION_TERMS];
        real ax, ay, az, potential;
        UNROLL
        for (i32 k = 0; k < EXPANSION_TERMS; k++)
            own[k] = sum[k];
        UNROLL
        for (i32 lane = 0; lane < VECTOR; lane++) {
            const float4 one = body[min(i + lane, group->to - 1)];
            PAIRS_ONLY(const float4 rest = low[min(i + lane, group->to - 1)];)
            x[lane] = (one.x - group->centre.x) PAIRS_PLUS(rest.x);
            y[lane] = (one.y - group->centre.y) PAIRS_PLUS(rest.y);
            z[lane] = (one.z - group->centre.z) PAIRS_PLUS(rest.z);
        }
        expansion_at(own, scale * REAL_LOAD(x, 0), scale * REAL_LOAD(y, 0), scale * REAL_LOAD(z, 0),
                     &ax, &ay, &az, &potential);
        REAL_STORE(square * ax, x, 0);
        REAL_STORE(square * ay, y, 0);
        REAL_STORE(square * az, z, 0);
        REAL_STORE(scale * potential, phi, 0);
        UNROLL
        for (i32 lane = 0; lane < VECTOR; lane++)
            if (i + lane < group->to) {
                const u32 to = COUNTED(counts, ORR_IR, 1, order[i + lane]);
                const float4 old = COUNTED(counts, ORR_GR, 8, acc[to]);
                COUNT(counts, ORR_GW, 4);
                acc[to] = MAKE_FLOAT4(old.x + x[lane], old.y + y[lane], old.z + z[lane],
                                      old.w - phi[lane]);
            }
    }
}
#endif

#define LIMIT_WORDS (EXPAND || OPENING == EQUAL_ERROR ? 2 : 0)

/* Four counts below 65536 in one word. */
#define FOUR(a, b, c, d) ((u64)(a) | (u64)(b) << 16 | (u64)(c) << 32 | (u64)(d) << 48)
#define OF_FOUR(word, k) ((i32)((word) >> (16 * (k)) & 0xffff))

/* roots: of each of `trees` trees, together of all bodies; those from cell 0 on are the tree of the
 * n bodies that walk. work, five for each group: pairs with cells and with bodies, cells and leaves
 * met, cells that act by the field, added to what is there. parts, with CUT: as gaburov_parts.cl
 * has them; all groups walk for whole rows of bodies where further parts have too few places. */
KERNEL GROUP_BOUNDS(THREADS)
    gaburov_walk(GLOBAL const float4 *RESTRICT body, GLOBAL const float4 *RESTRICT tests,
                 GLOBAL const float4 *RESTRICT halves, GLOBAL const int2 *RESTRICT links,
                 GLOBAL const float4 *RESTRICT moments, GLOBAL const float2 *RESTRICT limits,
                 GLOBAL const float2 *RESTRICT pulls, GLOBAL const u32 *RESTRICT order,
                 GLOBAL float4 *RESTRICT acc,
                 GLOBAL u64 *RESTRICT work, GLOBAL const i32 *RESTRICT roots, i32 trees,
                 float eps2, i32 n,
                 GLOBAL const int2 *RESTRICT parts LOW_PARAM COUNT_ARGUMENT(totals))
{
    /* Fields need so many registers that few groups would be left. */
    RESIDENT_BOUND();
    const i32 id = get_local_id(0), number = get_group_id(0);
    /* local_bytes() of octgrav-modern.c counts these. */
    LOCAL float4 stage[2 * LIST * WARPS];
    LOCAL float2 stage_third[LIST * WARPS];
#if TRACED
    LOCAL float stage_trace[LIST * WARPS];
#endif
    LOCAL int2 stack[STACK]; /* first child and how many */
    LOCAL i32 far_list[LIST * WARPS + THREADS], leaf_first[LIST * WARPS + THREADS],
        leaf_held[LIST * WARPS + THREADS], index[LIST * WARPS];
    LOCAL u32 starts[LIST * WARPS], words[THREADS];
    LOCAL u64 tally[WARPS];
#if EXPAND
    LOCAL i32 wide_list[WIDE * WARPS + THREADS];
    LOCAL float fields[FIELD * WARPS];
#endif
    struct team m;
    m.number = id / BLOCK;
    m.t = id % BLOCK;
    m.part = m.t / LANES;
    m.first = stage + 2 * LIST * m.number;
    m.second = m.first + LIST;
    m.third = stage_third + LIST * m.number;
#if TRACED
    m.trace = stage_trace + LIST * m.number;
#endif
    m.index = index + LIST * m.number;
    m.starts = starts + LIST * m.number;
    m.words = words + BLOCK * m.number;
    m.tally = tally;
#if EXPAND
    m.field = fields + FIELD * m.number;
    for (i32 k = m.t; k < FIELD; k += BLOCK)
        m.field[k] = 0.0f;
    i32 wide_count = 0, wides = 0;
#endif
    struct target group;
    group.from = number * GROUP_BODIES;
    group.to = min(group.from + GROUP_BODIES, n);
#if CUT
    const i32 places = get_num_groups(0), rows = (n + GROUP_BODIES - 1) / GROUP_BODIES;
    const i32 fit = parts[places].x <= places - rows;
    group.from = fit ? parts[number].x : number < rows ? group.from : 0;
    group.to = fit ? parts[number].y : number < rows ? group.to : 0;
#endif
    /* The thread's first body or vector; the k-th is LANES * VECTOR bodies further on. */
    const i32 lane = m.t % LANES, i = group.from + lane * VECTOR;
    const u32 below = (1u << m.t) - 1u;
    const i32 of_taken = (i32)((u32)id / EIGHT), child = (i32)((u32)id % EIGHT);
    /* One without bodies looks at no cell; that it returns here PoCL 3 does not compile. */
    i32 top = group.from < group.to ? trees : 0, far_count = 0, leaf_count = 0;
    i32 cells = 0, leaves = 0, bodies = 0;
    u64 before;
    struct own b;
    struct box box;
    COUNT_STATE(counts);

    COUNT_IN(counts, GABUROV_WALK);
    const float4 about = COUNTED(counts, ORR_GR, 4, body[group.from]);
    box.low = box.high = about;
    box.moment = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);
    UNROLL
    for (i32 k = 0; k < BODIES; k++)
        load(&b, k, &box, body, i + k * LANES * VECTOR, max(group.to, 1),
             about LOW_ARG COUNT_PASS(counts));
    gather(m.first, m.t, &box);
    target(&group.centre, &group.edges, &box, about);
    group.pulls = OPENING == EQUAL_ERROR ? pulls[group.from / PULLED] : MAKE_FLOAT2(1.0f, 1.0f);
    if (EXPAND)
        set_field(&group, &box, eps2);
    UNROLL_BY(1)
    for (i32 k = id; k < trees; k += THREADS)
        stack[k] = MAKE_INT2(roots[k], 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    while (top > 0) {
        const i32 taken = min(top, min(THREADS / EIGHT, max((HIGH - top) >> 3, 1)));
        i32 c = 0, far = 0, leaf = 0, wide = 0, opened = 0;
        int2 link = MAKE_INT2(0, 0), row = MAKE_INT2(0, 0);
        top -= taken;
        if (of_taken < taken)
            row = stack[top + of_taken];
        if (child < row.y) {
            c = row.x + child;
            link = COUNTED(counts, ORR_IR, 2, links[c]);
            COUNT(counts, ORR_GR, 4 + EDGE_WORDS + LIMIT_WORDS);
            /* Asked for beside the others: a wait the less. */
            const float2 limit = LIMIT_WORDS ? limits[c] : MAKE_FLOAT2(0.0f, 0.0f);
            const float4 test = pulled(tests[c], limit.y, group.pulls.x);
            const i32 whole = !opens(test, EDGES_OF(halves, c), group.centre, group.edges);
            wide = EXPAND ? whole & expands(test, limit.x, &group) : 0;
            far = whole && !wide;
            leaf = !whole && link.y < 0;
            opened = !whole && link.y > 0;
            COUNT(counts, ORR_CT, 1);
            COUNT(counts, ORR_CA, whole);
            COUNT(counts, ORR_CL, leaf);
        }
        const u32 far_ones = GROUP_VOTE(m.words, BLOCK, far),
                  leaf_ones = GROUP_VOTE(m.words, BLOCK, leaf),
                  wide_ones = EXPAND ? GROUP_VOTE(m.words, BLOCK, wide) : 0,
                  opened_ones = GROUP_VOTE(m.words, BLOCK, opened);
        GROUP_BARRIER(BLOCK);
        const u64 here = FOUR(popcount(far_ones), popcount(leaf_ones), popcount(wide_ones),
                              popcount(opened_ones)),
                  all = sum_of_teams(&m, here, &before);
#if EIGHT < 8
        /* The rest of the row. */
        if (row.y > EIGHT) {
            if (id == 0)
                stack[top] = MAKE_INT2(row.x + EIGHT, row.y - EIGHT);
            top++;
        }
#endif
        if (far)
            far_list[far_count + OF_FOUR(before, 0) + (i32)popcount(far_ones & below)] = c;
#if EXPAND
        if (wide)
            wide_list[wide_count + OF_FOUR(before, 2) + (i32)popcount(wide_ones & below)] = c;
        wide_count += OF_FOUR(all, 2);
#endif
        if (leaf) {
            const i32 at = leaf_count + OF_FOUR(before, 1) + (i32)popcount(leaf_ones & below);
            leaf_first[at] = link.x;
            leaf_held[at] = -link.y;
        }
        if (opened)
            stack[top + OF_FOUR(before, 3) + (i32)popcount(opened_ones & below)] = link;
        far_count += OF_FOUR(all, 0);
        leaf_count += OF_FOUR(all, 1);
        top += OF_FOUR(all, 3);
        TEAMS_BARRIER();
        const i32 enough = top > 0 ? LIST * WARPS : 1;
        while (far_count >= enough) {
            const i32 count = min(far_count, LIST * WARPS);
            i32 from;
            far_count -= count;
            const i32 own = share_of(&m, count, &from);
            COUNT_IN(counts, GABUROV_NODES);
            meet_cells(&b, &m, far_list + far_count + from, own, moments,
                       eps2 PAIRS_ARG(group.centre) COUNT_PASS(counts));
            COUNT_IN(counts, GABUROV_WALK);
            cells += count;
        }
#if EXPAND
        while (wide_count >= (top > 0 ? WIDE * WARPS : 1)) {
            const i32 count = min(wide_count, WIDE * WARPS);
            i32 from;
            wide_count -= count;
            const i32 own = share_of(&m, count, &from);
            COUNT_IN(counts, GABUROV_NODES);
            expand_low(&m, wide_list + wide_count + from, own, moments, &group,
                       eps2 COUNT_PASS(counts));
            expand_high(&m, wide_list + wide_count + from, own, moments, &group,
                        eps2 COUNT_PASS(counts));
            COUNT_IN(counts, GABUROV_WALK);
            wides += count;
        }
#endif
        while (leaf_count >= enough) {
            const i32 count = min(leaf_count, LIST * WARPS);
            i32 from;
            leaf_count -= count;
            const i32 own = share_of(&m, count, &from);
            COUNT_IN(counts, GABUROV_LEAVES);
            bodies += meet_leaves(&b, &m, leaf_first + leaf_count + from,
                                  leaf_held + leaf_count + from, own, (count + WARPS - 1) / WARPS,
                                  body, &group, eps2 LOW_ARG COUNT_PASS(counts));
            COUNT_IN(counts, GABUROV_WALK);
            leaves += count;
        }
    }
    COUNT_IN(counts, GABUROV_LEAVES);
    TEAMS_BARRIER();
    bodies = (i32)sum_of_teams(&m, (u64)bodies, &before);
    add_parts(&b, (LOCAL_POINTER(float))stage, lane, m.number * PARTS + m.part);
    if (m.number * PARTS + m.part == 0)
        store(&b, acc, order, i, group.to COUNT_PASS(counts));
#if EXPAND
    COUNT_IN(counts, GABUROV_NODES);
    add_field(acc, order, body, fields, (LOCAL_POINTER(float))stage,
              &group LOW_ARG COUNT_PASS(counts));
#endif
    if (id == 0) {
        GLOBAL u64 *const own = work + 5 * number;
        own[0] += (u64)cells * (u64)(group.to - group.from);
        own[1] += (u64)(bodies - 1) * (u64)(group.to - group.from);
        own[2] += (u64)cells;
        own[3] += (u64)leaves;
#if EXPAND
        own[4] += (u64)wides;
#endif
    }
    COUNT_FLUSH(counts, totals);
}
