/* Mean value analysis of a closed network (Reiser and Lavenberg, J. ACM 27 (1980) 313), by the
 * fixed point of Schweitzer (1979): a warp that comes to a part finds it as busy as it is with all
 * warps but itself. Nothing in it is fitted.
 *
 * Time is counted in passages: one of every warp of a step makes `seconds` of each part. */
#include "audit/audit.h"

#include <math.h>

enum { PARTS = 16, TURNS = 10000 };

struct network {
    int parts;
    double service[PARTS]; /* of a passage of one warp, by the unit that it belongs to */
    double units[PARTS];
    double warps, waiting, busiest;
};

/* What a passage takes with the queues as they are; they become what follows of it. */
static double pass(const struct network *n, double thinking, double queue[PARTS])
{
    double there[PARTS], round = thinking;
    for (int k = 0; k < n->parts; k++) {
        const double own = fmax(1, n->warps / n->units[k]); /* warps of a unit */
        there[k] = n->service[k] * (1 + queue[k] * (own - 1) / own);
        round += there[k];
    }
    for (int k = 0; k < n->parts; k++)
        queue[k] = fmax(1, n->warps / n->units[k]) * there[k] / round;
    return round;
}

static double solve(const struct network *n)
{
    double queue[PARTS] = {0}, round = 0, before = -1, thinking = n->waiting * n->warps;
    for (int k = 0; k < n->parts; k++)
        thinking -= n->service[k]; /* which a chain alone waits for, too */
    thinking = fmax(0, thinking);
    for (int turn = 0; turn < TURNS && fabs(round - before) > 1e-12 * round; turn++) {
        before = round;
        round = pass(n, thinking, queue);
    }
    return fmax(round / n->warps, fmax(n->busiest, n->waiting));
}

static void add_part(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct network *n = sqlite3_aggregate_context(context, sizeof *n);
    const double seconds = sqlite3_value_double(arguments[0]);
    (void)count;
    if (!n || n->parts == PARTS)
        return;
    n->units[n->parts] = sqlite3_value_double(arguments[1]);
    n->service[n->parts] = seconds * n->units[n->parts];
    n->parts++;
    n->busiest = fmax(n->busiest, seconds);
    n->warps = fmax(1, sqlite3_value_double(arguments[2]));
    n->waiting = sqlite3_value_double(arguments[3]); /* NULL: 0 */
}

static void finish(sqlite3_context *context)
{
    const struct network *n = sqlite3_aggregate_context(context, 0);
    if (n && n->parts)
        sqlite3_result_double(context, n->waiting > 0 ? solve(n) : n->busiest);
}

int orr_overlap_offer(const struct orr_ledger *ledger)
{
    static const struct orr_ledger_function overlap = {"overlap_seconds", 4, .step = add_part,
                                                       .final = finish};
    return orr_ledger_add_functions((struct orr_ledger *)ledger, &overlap, 1, NULL);
}
