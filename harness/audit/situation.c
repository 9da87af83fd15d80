#include "audit/situation.h"

#include <math.h>

#define KIND(name) (1u << ORR_##name)

const char *const orr_situation_memory_names[ORR_MEMORIES] = {"register", "shared", "global",
                                                              "total"};
const unsigned orr_situation_memory_kinds[ORR_MEMORIES] = {
    KIND(RR) | KIND(RW), KIND(SR) | KIND(SW), KIND(GR) | KIND(GW),
    KIND(RR) | KIND(RW) | KIND(SR) | KIND(SW) | KIND(GR) | KIND(GW)};

int orr_situation_number(int64_t computation, int64_t access)
{
    if (!computation)
        return 0;
    if (computation < 0)
        return access > 0 ? 1 : 2;
    return access < 0 ? 3 : 4;
}

int orr_situation_predicts(int situation)
{
    return !situation ? 0 : situation == 4 ? -1 : 1;
}

static void judge_memories(struct orr_situation *s)
{
    for (int atomics = 0; atomics < ORR_ATOMIC_CONVENTIONS; atomics++)
        for (int memory = 0; memory < ORR_MEMORIES; memory++) {
            struct orr_judgement *by = &s->by[atomics][memory];
            by->before = orr_counted_sum(s->a, orr_situation_memory_kinds[memory], atomics);
            by->after = orr_counted_sum(s->b, orr_situation_memory_kinds[memory], atomics);
            by->situation =
                orr_situation_number(s->pairs_after - s->pairs_before, by->after - by->before);
        }
    s->situation = s->by[ORR_ATOMIC_WRITES][ORR_MEMORY_TOTAL].situation;
    s->predicts = orr_situation_predicts(s->situation);
    s->one = s->certain = true;
    for (int atomics = 0; atomics < ORR_ATOMIC_CONVENTIONS; atomics++)
        for (int memory = 0; memory < ORR_MEMORIES; memory++) {
            s->one = s->one && s->by[atomics][memory].situation == s->situation;
            s->certain = s->certain &&
                         orr_situation_predicts(s->by[atomics][memory].situation) == s->predicts;
        }
}

static int measure(struct orr_situation *s, const struct orr_ledger *ledger)
{
    double ends[2];
    int code = orr_ledger_ratio_interval(ends, ledger, s->b->key, ledger, s->a->key);
    if (code)
        return code;
    s->ratio = s->a->seconds / s->b->seconds;
    s->low = ends[0];
    s->high = ends[1];
    s->measured = s->low > 1 ? 1 : s->high < 1 ? -1 : 0;
    return 0;
}

int orr_situation_judge(struct orr_situation *out, const struct orr_ledger *ledger,
                        const struct orr_counted *a, const struct orr_counted *b)
{
    *out = (struct orr_situation){.a = a, .b = b, .ratio = NAN, .low = NAN, .high = NAN};
    out->pairs_before = orr_counted_sum(a, KIND(CP), ORR_ATOMIC_WRITES);
    out->pairs_after = orr_counted_sum(b, KIND(CP), ORR_ATOMIC_WRITES);
    judge_memories(out);
    return measure(out, ledger);
}

int orr_situation_agrees(const struct orr_situation *situation)
{
    if (!situation->predicts || !situation->measured)
        return -1;
    return situation->predicts == situation->measured;
}
