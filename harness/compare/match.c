#include "compare/match.h"

#include <string.h>

enum orr_likeness orr_match_likeness(const struct orr_result *a, const struct orr_result *b,
                                     bool across)
{
    if (strcmp(a->variant, b->variant))
        return ORR_LIKE_NOTHING;
    if (!across && strcmp(a->device, b->device))
        return ORR_LIKE_VARIANT;
    if (a->seed != b->seed || !orr_input_same(&a->input, &b->input))
        return ORR_LIKE_DEVICE;
    return *a->parameters && !strcmp(a->parameters, b->parameters) ? ORR_LIKE_WORK : ORR_LIKE_INPUT;
}

static bool same_work(const struct orr_result *a, const struct orr_result *b, bool across)
{
    return orr_match_likeness(a, b, across) == ORR_LIKE_WORK;
}

/* Two `ok` results of the same request may differ: a default can have changed. */
static bool same_request(const struct orr_result *a, const struct orr_result *b, bool across)
{
    (void)across;
    return !(a->ok && b->ok) && *a->id && !strcmp(a->id, b->id);
}

/* The level of the boxes may be unknown, too. */
static bool agree(const struct orr_result *a, const struct orr_result *b, bool across)
{
    return !(a->ok && b->ok) && orr_match_likeness(a, b, across) >= ORR_LIKE_DEVICE &&
           a->seed == b->seed && a->input.n == b->input.n &&
           !strcmp(a->input.dataset, b->input.dataset) && orr_settings_agree(a, b);
}

bool orr_match_almost(const struct orr_result *a, const struct orr_result *b, bool across)
{
    return orr_match_likeness(a, b, across) == ORR_LIKE_INPUT && orr_settings_agree(a, b);
}

typedef bool rule(const struct orr_result *a, const struct orr_result *b, bool across);

/* Index in `b` of the only match of `wanted`; b->count when there is none or several. */
static size_t only_partner(rule *allows, const struct orr_result *wanted,
                           const struct orr_singles *b, bool across)
{
    size_t place = b->count;
    for (size_t k = 0; k < b->count; k++) {
        if (!b->items[k] || !allows(wanted, b->items[k], across))
            continue;
        if (place < b->count)
            return b->count;
        place = k;
    }
    return place;
}

/* Whether another result of `a` without a partner matches this one as well. */
static bool is_disputed(rule *allows, const struct orr_result **partners,
                        const struct orr_singles *a, size_t owner, const struct orr_result *wanted,
                        bool across)
{
    for (size_t k = 0; k < a->count; k++)
        if (k != owner && !partners[k] && allows(a->items[k], wanted, across))
            return true;
    return false;
}

void orr_match(const struct orr_result **partners, const struct orr_singles *a,
               struct orr_singles *b, bool across)
{
    static rule *const rules[] = {same_work, same_request, agree};
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        for (size_t k = 0; k < a->count; k++) {
            size_t place = partners[k] ? b->count : only_partner(rules[r], a->items[k], b, across);
            if (place == b->count || is_disputed(rules[r], partners, a, k, b->items[place], across))
                continue;
            partners[k] = b->items[place];
            b->items[place] = NULL;
        }
}
