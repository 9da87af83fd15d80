/* SPDX-License-Identifier: MIT */
/* Every pair of near bodies once, for both (Shan & Lei 2012, section III C), without conflicts: no
 * atomics, the same bits every time.
 *
 * A team of LANES threads takes one box. Each thread keeps BODIES bodies i of it in registers, as
 * vectors of VECTOR on a CPU. Bodies j come LANES at a time, one a thread, and go round: after each
 * meeting a thread passes its body j with what it has collected for it to the previous thread, so
 * after LANES meetings it is back where it came from. Of the boxes around a team meets four: right,
 * upper left, upper and upper right; the other four meet it. What the bodies of a box get from the
 * team of the box to their left, lower right, below and lower left, and from their own, goes to
 * five rows of `sums` that nobody else writes to; shan_n3l_free_add adds the five in a fixed order.
 *
 * Of several ranks each has the teams of its own boxes (ACROSS). A box that another rank has is met
 * there as well as here: what its bodies got here is left in rows that nobody adds up. So a team
 * meets up to four boxes more, those of other ranks that would have met it.
 *
 * Places without a body hold a massless one far away, so the loop has no guard. With LANES > 1
 * VECTOR is 1. */
#ifndef LANES
#define LANES 8
#endif
#ifndef BODIES
#define BODIES 2
#endif
/* How bodies go round: by shuffles in a warp, else through local memory. */
#ifndef SHUFFLED
#define SHUFFLED (ORR_SHUFFLES && LANES > 1)
#endif
/* Meetings in a pass of the loop. With shuffles enough that they and the roots overlap and no more
 * than a GPU's instruction cache holds: on an H200 half as many take 2 to 5 % longer, twice as many
 * 16 %. */
#ifndef UNROLL_STEPS
#define UNROLL_STEPS (!SHUFFLED ? 1 : BODIES > 8 ? 4 : 8)
#endif
/* The same among a box's own bodies, where each body in registers has a loop of its own. */
#ifndef UNROLL_OWN
#define UNROLL_OWN (SHUFFLED ? 2 : 1)
#endif
/* Threads in a group: whole warps with shuffles, one team where a team meets at barriers. */
#ifndef GROUP
#if SHUFFLED
#define GROUP 64
#else
#define GROUP LANES
#endif
#endif
/* 1: behind the four, lists name the others that other ranks have, where they hold bodies, then
 * -1. */
#ifndef ACROSS
#define ACROSS 0
#endif
/* Teams that share a box, at most: each has all its bodies i and some of the rounds of bodies j, in
 * a row of own sums for itself. */
#ifndef PARTS
#define PARTS 1
#endif
/* 1: teams are those of a queue, each with its box and part; 0: every box has PARTS of them. */
#ifndef QUEUED
#define QUEUED 0
#endif
/* Threads in a group of shan_n3l_free_add. */
#ifndef ADD_GROUP
#define ADD_GROUP 64
#endif

#if LANES > 1 && VECTOR > 1
#error "a team of several threads has scalars: LANES = 1 or VECTOR = 1"
#endif

#define ROW (LANES * VECTOR) /* bodies i side by side in a team */
#define CHUNK (BODIES * ROW) /* bodies i in its registers */
/* Where massless bodies are. Pairs that do not count are evaluated with body i on the other side,
 * so that nothing is at no distance from itself. */
#define FAR 1e18f
#define IS_BODY(x) ((x) > -FAR && (x) < FAR)

/* Rows of `sums`: from the bodies of the k-th neighbour's opposite, and from the own box. */
#define NEIGHBOURS 4
#define ROWS 5
#define OWN 4
#define MEETINGS (ROWS + ACROSS * NEIGHBOURS)
#define PROCEDURE(row) ((row) < NEIGHBOURS ? ORR_NEIGHBOUR_BOX : ORR_FATHER_BOX)

struct own {
    real x[BODIES], y[BODIES], mass[BODIES];
    real ax[BODIES], ay[BODIES];
};

/* A body j on its round, with what it has got from the bodies i it met. */
struct guest {
    float x, y, mass;
    real ax, ay;
};

/* The guests in local memory, in two places by turns: nobody writes where others still read. */
struct post {
    float x[LANES], y[LANES], mass[LANES], ax[LANES], ay[LANES];
};

struct team {
    i32 lane;        /* of this thread in its team */
    i32 part, parts; /* of its box's; a power of two */
#if LANES > 1 && !SHUFFLED
    LOCAL_POINTER(struct post) post;
    i32 turn;
#endif
};

/* The largest number among the teams of a warp, which take part in the same shuffles. */
#if SHUFFLED
#define MOST(number) WARP_MAX_I32(number)
#else
#define MOST(number) (number)
#endif

/* The thread gets the guest of the thread `distance` further on in the team. */
INLINE void pass_on(struct guest *g, struct team *t, i32 distance COUNT_PARAMETER(counts))
{
#if SHUFFLED
    g->x = SHUFFLE(g->x, t->lane + distance, LANES);
    g->y = SHUFFLE(g->y, t->lane + distance, LANES);
    g->mass = SHUFFLE(g->mass, t->lane + distance, LANES);
    g->ax = SHUFFLE(g->ax, t->lane + distance, LANES);
    g->ay = SHUFFLE(g->ay, t->lane + distance, LANES);
#elif LANES > 1
    LOCAL_POINTER(struct post) post = t->post + t->turn;
    const i32 from = (t->lane + distance) % LANES;
    COUNT(counts, ORR_SW, 5);
    post->x[t->lane] = g->x;
    post->y[t->lane] = g->y;
    post->mass[t->lane] = g->mass;
    post->ax[t->lane] = g->ax;
    post->ay[t->lane] = g->ay;
    barrier(CLK_LOCAL_MEM_FENCE);
    COUNT(counts, ORR_SR, 5);
    g->x = post->x[from];
    g->y = post->y[from];
    g->mass = post->mass[from];
    g->ax = post->ax[from];
    g->ay = post->ay[from];
    t->turn ^= 1;
#endif
}

#if ORRERY_COUNT
/* Pairs of bodies, not of places, among the lanes of x and one body at xj. */
INLINE i32 pairs_of(real x, float xj)
{
    float at[VECTOR];
    i32 count = 0;

    REAL_STORE(x, at, 0);
    for (i32 v = 0; v < VECTOR; v++)
        count += IS_BODY(at[v]) && IS_BODY(xj);
    return count;
}
#endif

/* The guest and the bodies of register r, which are at (x, y[r]). */
INLINE void meet(struct own *b, i32 r, real x, struct guest *g, float eps2 COUNT_PARAMETER(counts))
{
    PAIR2_BOTH(b->ax[r], b->ay[r], g->ax, g->ay, x, b->y[r], b->mass[r], g->x, g->y, g->mass,
               REAL(eps2));
    COUNT(counts, ORR_CP, pairs_of(x, g->x));
    COUNT(counts, ORR_RW, 4 * pairs_of(x, g->x));
}

/* One step of a round: the guests meet the bodies of the first `rows` registers, a constant where
 * called, and pass on. */
INLINE void meet_and_pass(struct own *b, i32 rows, struct guest *g, struct team *t,
                          float eps2 COUNT_PARAMETER(counts))
{
    UNROLL
    for (i32 r = 0; r < rows; r++)
        meet(b, r, b->x[r], g, eps2 COUNT_PASS(counts));
    pass_on(g, t, 1 COUNT_PASS(counts));
}

#if VECTOR == 1
/* The bodies of register q among themselves, as guests that go half round: s threads apart for s =
 * 1 ... LANES / 2. */
INLINE void meet_row(struct own *b, i32 q, struct guest *g, struct team *t,
                     float eps2 COUNT_PARAMETER(counts))
{
#if LANES > 1
    UNROLL_BY(UNROLL_OWN)
    for (i32 s = 1; s < LANES / 2; s++) {
        pass_on(g, t, 1 COUNT_PASS(counts));
        meet(b, q, b->x[q], g, eps2 COUNT_PASS(counts));
    }
    /* Half-way every pair meets twice. */
    pass_on(g, t, 1 COUNT_PASS(counts));
    meet(b, q, t->lane < LANES / 2 ? b->x[q] : -FAR, g, eps2 COUNT_PASS(counts));
    pass_on(g, t, LANES / 2 COUNT_PASS(counts));
#endif
}

/* The bodies i among themselves: those of register q are guests of registers 0 ... q - 1. */
INLINE void meet_own(struct own *b, struct team *t, float eps2 COUNT_PARAMETER(counts))
{
    UNROLL
    for (i32 q = 0; q < BODIES; q++) {
        struct guest g = {b->x[q], b->y[q], b->mass[q], 0.0f, 0.0f};

        meet_row(b, q, &g, t, eps2 COUNT_PASS(counts));
        UNROLL_BY(UNROLL_OWN)
        for (i32 s = 0; s < LANES && q > 0; s++)
            meet_and_pass(b, q, &g, t, eps2 COUNT_PASS(counts));
        b->ax[q] += g.ax;
        b->ay[q] += g.ay;
    }
}
#else
#define LANE_NUMBERS(name)           \
    i32 name##_of[VECTOR];           \
    for (i32 v = 0; v < VECTOR; v++) \
        name##_of[v] = v;            \
    const ORR_JOIN(int, VECTOR) name = ORR_JOIN(vload, VECTOR)(0, name##_of)

/* The same with one thread: body v of register q is a guest of the registers before and of the
 * lanes before. */
INLINE void meet_own(struct own *b, struct team *t, float eps2 COUNT_PARAMETER(counts))
{
    LANE_NUMBERS(number);
    UNROLL
    for (i32 q = 0; q < BODIES; q++) {
        float x[VECTOR], y[VECTOR], mass[VECTOR], ax[VECTOR], ay[VECTOR];

        REAL_STORE(b->x[q], x, 0);
        REAL_STORE(b->y[q], y, 0);
        REAL_STORE(b->mass[q], mass, 0);
        for (i32 v = 0; v < VECTOR; v++) {
            struct guest g = {x[v], y[v], mass[v], REAL(0.0f), REAL(0.0f)};

            meet_and_pass(b, q, &g, t, eps2 COUNT_PASS(counts));
            meet(b, q, number < v ? b->x[q] : REAL(-FAR), &g, eps2 COUNT_PASS(counts));
            ax[v] = REAL_SUM(g.ax);
            ay[v] = REAL_SUM(g.ay);
        }
        b->ax[q] += REAL_LOAD(ax, 0);
        b->ay[q] += REAL_LOAD(ay, 0);
    }
}
#endif

INLINE float4 body_at(GLOBAL const float4 *body, i32 at, i32 end COUNT_PARAMETER(counts))
{
    COUNT(counts, ORR_GR, at < end ? 3 : 0);
    return at < end ? body[at] : MAKE_FLOAT4(FAR, FAR, 0.0f, 0.0f);
}

/* The thread's share of the bodies first ... end - 1. */
INLINE void take(struct own *b, GLOBAL const float4 *body, i32 first, i32 end,
                 const struct team *t COUNT_PARAMETER(counts))
{
    UNROLL
    for (i32 r = 0; r < BODIES; r++) {
        float x[VECTOR], y[VECTOR], mass[VECTOR];

        UNROLL
        for (i32 v = 0; v < VECTOR; v++) {
            const float4 one =
                body_at(body, first + (r * LANES + t->lane) * VECTOR + v, end COUNT_PASS(counts));
            x[v] = one.x;
            y[v] = one.y;
            mass[v] = one.z;
        }
        b->x[r] = REAL_LOAD(x, 0);
        b->y[r] = REAL_LOAD(y, 0);
        b->mass[r] = REAL_LOAD(mass, 0);
        b->ax[r] = b->ay[r] = REAL(0.0f);
    }
}

INLINE void put(GLOBAL float2 *to, float ax, float ay, i32 again COUNT_PARAMETER(counts))
{
    float2 before = MAKE_FLOAT2(0.0f, 0.0f);

    if (again)
        before = COUNTED(counts, ORR_GR, 2, *to);
    COUNTED(counts, ORR_GW, 2, *to = MAKE_FLOAT2(before.x + ax, before.y + ay));
}

/* Which part meets a round of the own bodies. */
INLINE i32 part_of(i32 round, const struct team *t)
{
    return round & (t->parts - 1);
}

/* The thread's share of the bodies begin + at ...: the part has met them before where they were
 * its guests. */
INLINE void give_back(GLOBAL float2 *to, const struct own *b, i32 begin, i32 at, i32 end,
                      const struct team *t COUNT_PARAMETER(counts))
{
    UNROLL
    for (i32 r = 0; r < BODIES; r++) {
        float ax[VECTOR], ay[VECTOR];

        REAL_STORE(b->ax[r], ax, 0);
        REAL_STORE(b->ay[r], ay, 0);
        UNROLL
        for (i32 v = 0; v < VECTOR; v++) {
            const i32 place = at + (r * LANES + t->lane) * VECTOR + v;
            if (begin + place < end) {
                COUNT(counts, ORR_RR, 2);
                put(to + begin + place, ax[v], ay[v],
                    at > 0 && part_of(place / LANES, t) == t->part COUNT_PASS(counts));
            }
        }
    }
}

/* Bodies j to meet: from ... to - 1 of every row, in `rounds` rounds of LANES, `stride` apart. */
struct guests {
    i32 from[ROWS], to[ROWS], rounds[ROWS], stride;
#if ACROSS
    GLOBAL const i32 *start, *across; /* of boxes; boxes of other ranks, NULL where there is none */
    i32 skipped;                      /* of a box's bodies, which other parts meet first */
#endif
};
#define OF_ROW(what, k) \
    ((k) == 0 ? what[0] : (k) == 1 ? what[1] : (k) == 2 ? what[2] : (k) == 3 ? what[3] : what[4])

INLINE void invite(struct guests *all, i32 k, i32 from, i32 to)
{
    all->from[k] = from;
    all->to[k] = to;
    all->rounds[k] = MOST((max(to - from, 0) + all->stride - 1) / all->stride);
}

/* The round that comes next, row by row; none when row is MEETINGS. */
struct next {
    i32 row, at, to, rounds;
};

#if ACROSS
/* The bodies of the next box of another rank; behind the last one there are no more. */
INLINE void next_across(struct next *w, const struct guests *all)
{
    const i32 k = w->row - ROWS, other = k < NEIGHBOURS && all->across ? all->across[k] : -1;

    w->at = other < 0 ? 0 : all->start[other] + all->skipped;
    w->to = other < 0 ? 0 : all->start[other + 1];
    w->rounds = MOST((max(w->to - w->at, 0) + all->stride - 1) / all->stride);
    if (!MOST(other >= 0))
        w->row = MEETINGS;
}
#endif

INLINE void next_round(struct next *w, const struct guests *all)
{
    w->at += all->stride;
    w->rounds--;
    while (w->rounds <= 0 && w->row < MEETINGS) {
        w->row++;
#if ACROSS
        if (w->row >= ROWS) {
            next_across(w, all);
            continue;
        }
#endif
        w->at = OF_ROW(all->from, w->row);
        w->to = w->row < ROWS ? OF_ROW(all->to, w->row) : 0;
        w->rounds = OF_ROW(all->rounds, w->row);
    }
}

/* The boxes from `box_from` on, before `boxes`; with QUEUED the teams of the queue: a box, its part
 * from bit 24 on, and from bit 28 on how many parts it has, as a logarithm. start, list: as
 * shan_boxes has them, the list by direction. sums: (NEIGHBOURS + PARTS) x n, zeroed once: a body
 * that has no team on one of its sides, or fewer parts, keeps that zero. */
KERNEL GROUP_BOUNDS(GROUP) shan_n3l_free(GLOBAL const float4 *RESTRICT body,
                                  GLOBAL const i32 *RESTRICT start, GLOBAL const i32 *RESTRICT list,
                                  GLOBAL const u32 *RESTRICT queue, GLOBAL float2 *RESTRICT sums,
                                  float eps2, i32 n, i32 box_from, i32 boxes COUNT_ARGUMENT(totals))
{
    /* Tells the compiler, too, that it need not save registers: otherwise it takes up one pair
     * after the other and waits for each root (docs/decisions/0010). */
    RESIDENT_BOUND();
    const i32 me = get_local_id(0), team = (i32)get_global_id(0) / LANES;

    COUNT_STATE(counts);
    struct team t;
    struct guests all;
    struct own b;
#if QUEUED
    const i32 is_team = team < boxes;
    const u32 entry = is_team ? queue[team] : 0;
    const i32 box = entry & 0xffffff;
    t.part = entry >> 24 & 15;
    t.parts = 1 << (entry >> 28);
#else
    const i32 box = box_from + team / PARTS, is_team = box < boxes;
    t.part = team % PARTS;
    t.parts = PARTS;
#endif
    const i32 begin = is_team ? start[box] : 0, end = is_team ? start[box + 1] : 0;
    const i32 chunks = MOST((end - begin + CHUNK - 1) / CHUNK), skipped = t.part * LANES;

    COUNT_IN(counts, ORR_FATHER_BOX);
    COUNT(counts, ORR_IR, is_team ? 2 + QUEUED : 0);
    all.stride = t.parts * LANES;
    t.lane = me % LANES;
#if LANES > 1 && !SHUFFLED
    LOCAL struct post post[2];
    t.post = post;
    t.turn = 0;
#endif
    COUNT_IN(counts, ORR_NEIGHBOUR_BOX);
    UNROLL
    for (i32 k = 0; k < NEIGHBOURS; k++) {
        const i32 other = begin < end ? list[(1 + ACROSS) * NEIGHBOURS * box + k] : -1;
        COUNT(counts, ORR_IR, (begin < end ? 1 : 0) + (other < 0 ? 0 : 2));
        invite(&all, k, other < 0 ? 0 : start[other] + skipped,
               other < 0 ? 0 : start[other + 1]);
    }
    for (i32 chunk = 0; chunk < chunks; chunk++) {
        const i32 first = begin + chunk * CHUNK;
        struct next w = {-1, 0, 0, 0};

        COUNT_IN(counts, ORR_FATHER_BOX);
        take(&b, body, first, end, &t COUNT_PASS(counts));
        invite(&all, OWN,
               first + CHUNK + part_of(t.part - (chunk + 1) * (CHUNK / LANES), &t) * LANES, end);
        UNROLL
        for (i32 k = 0; k < NEIGHBOURS; k++)
            /* Where first >= end only other teams of the warp have a chunk left. */
            all.to[k] = first < end ? all.to[k] : 0;
#if ACROSS
        all.start = start;
        all.across = first < end ? list + (2 * box + 1) * NEIGHBOURS : 0;
        all.skipped = skipped;
#endif
        next_round(&w, &all);
        COUNT_IN(counts, PROCEDURE(w.row));
        float4 one = body_at(body, w.at + t.lane, w.to COUNT_PASS(counts));
        COUNT_IN(counts, ORR_FATHER_BOX);
        const i32 has_own = PARTS == 1 || part_of(chunk, &t) == t.part;
        if (MOST(has_own)) {
            meet_own(&b, &t, eps2 COUNT_PASS(counts));
            if (!has_own) /* another team of the warp has */
                UNROLL
                for (i32 r = 0; r < BODIES; r++)
                    b.ax[r] = b.ay[r] = REAL(0.0f);
        }
        while (w.row < MEETINGS) {
            struct guest g = {one.x, one.y, one.z, REAL(0.0f), REAL(0.0f)};
            const struct next now = w;

            /* The next guests are on their way while these go round. */
            next_round(&w, &all);
            COUNT_IN(counts, PROCEDURE(w.row));
            one = body_at(body, w.at + t.lane, w.to COUNT_PASS(counts));
            COUNT_IN(counts, PROCEDURE(now.row));
            UNROLL_BY(UNROLL_STEPS)
            for (i32 s = 0; s < LANES; s++)
                meet_and_pass(&b, BODIES, &g, &t, eps2 COUNT_PASS(counts));
            const i32 row = now.row == OWN ? OWN + t.part : now.row, j = now.at + t.lane;
            if ((!ACROSS || now.row < ROWS) && j < now.to)
                put(sums + (i64)row * n + j, REAL_SUM(g.ax), REAL_SUM(g.ay),
                    chunk > 0 COUNT_PASS(counts));
        }
        COUNT_IN(counts, ORR_RETURN);
        give_back(sums + (i64)(OWN + t.part) * n, &b, begin, chunk * CHUNK, end,
                  &t COUNT_PASS(counts));
    }
    COUNT_FLUSH(counts, totals);
}

/* Of the bodies from `body_from` on, before `bodies`. */
KERNEL GROUP_SIZE(ADD_GROUP)
    shan_n3l_free_add(GLOBAL const float2 *RESTRICT sums, GLOBAL float2 *RESTRICT acc,
                      i32 n, i32 body_from, i32 bodies COUNT_ARGUMENT(totals))
{
    COUNT_STATE(counts);
    const i32 i = body_from + (i32)get_global_id(0);

    COUNT_IN(counts, ORR_RETURN);
    if (i < bodies) {
        float2 total = COUNTED(counts, ORR_GR, 2, sums[(i64)OWN * n + i]);
        UNROLL
        for (i32 k = 0; k < NEIGHBOURS; k++) {
            const float2 one = COUNTED(counts, ORR_GR, 2, sums[(i64)k * n + i]);
            total = MAKE_FLOAT2(total.x + one.x, total.y + one.y);
        }
        UNROLL
        for (i32 k = ROWS; k < NEIGHBOURS + PARTS; k++) {
            const float2 one = COUNTED(counts, ORR_GR, 2, sums[(i64)k * n + i]);
            total = MAKE_FLOAT2(total.x + one.x, total.y + one.y);
        }
        COUNTED(counts, ORR_GW, 2, acc[i] = total);
    }
    COUNT_FLUSH(counts, totals);
}
