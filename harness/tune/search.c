#include "tune/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "measure/stats.h"
#include "names.h"

/* So many are measured together: fewer would start processes, more would let what slowly changes on
 * a machine come between the first and the last. */
enum { AT_ONCE = 16, MOST_DESCENTS = 8 };
/* Of the configurations that are drawn most may be beyond the device: as many more are at hand. */
enum { RESERVE = 8 };
/* A step of the descent that gains less is within what processes differ by. */
static const double LEAST_STEP = 0.01;

static const char *const strategies[] = {"auto", "full", "staged", "random"};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

int orr_search_read_strategy(enum orr_search_strategy *out, const char *word)
{
    for (int k = 0; k < STRATEGIES; k++)
        if (!strcmp(strategies[k], word)) {
            *out = (enum orr_search_strategy)k;
            return 0;
        }
    return orr_names_fail("there is no strategy", word, strategies, STRATEGIES, sizeof *strategies);
}

const char *orr_search_strategy_name(enum orr_search_strategy strategy)
{
    return strategies[strategy];
}

/* --- what is drawn --- */

/* Configuration number `index` of those that are tried, the default not among them where its
 * values are not. */
static uint64_t nth(const struct orr_knobs *knobs, uint64_t index)
{
    size_t places[ORR_MOST_KNOBS];
    for (size_t k = knobs->count; k-- > 0;) {
        places[k] = (size_t)(index % knobs->items[k].count);
        index /= knobs->items[k].count;
    }
    return orr_knobs_code(knobs, places);
}

static bool is_drawn(const struct orr_search *s, uint64_t code)
{
    for (size_t k = 0; k < s->drawn_count; k++)
        if (s->drawn[k] == code)
            return true;
    return false;
}

/* All of them, the default first, the others in random order: what a budget cuts off is a random
 * part. */
static void draw_all(struct orr_search *s, uint64_t all)
{
    const uint64_t usual = s->drawn[0];
    for (uint64_t k = 0; k < all; k++) {
        uint64_t code = nth(s->wish.knobs, k);
        if (code != usual)
            s->drawn[s->drawn_count++] = code;
    }
    for (size_t k = s->drawn_count; k > 2; k--) {
        size_t other = 1 + orr_stats_random_below(&s->random, k - 1);
        uint64_t kept = s->drawn[k - 1];
        s->drawn[k - 1] = s->drawn[other];
        s->drawn[other] = kept;
    }
}

/* No more than half of them, so that few draws are in vain. */
static void draw_some(struct orr_search *s, uint64_t all, size_t wanted)
{
    while (s->drawn_count < wanted) {
        uint64_t code = nth(s->wish.knobs, orr_stats_random_below(&s->random, all));
        if (!is_drawn(s, code))
            s->drawn[s->drawn_count++] = code;
    }
}

int orr_search_begin(struct orr_search *out, const struct orr_search_wish *wish)
{
    const uint64_t all = orr_knobs_configurations(wish->knobs);
    *out = (struct orr_search){.wish = *wish, .random = wish->seed};
    enum orr_search_strategy *strategy = &out->wish.strategy;
    if (*strategy == ORR_SEARCH_AUTO)
        *strategy = all <= ORR_SEARCH_SMALL ? ORR_SEARCH_FULL : ORR_SEARCH_STAGED;
    if (*strategy == ORR_SEARCH_FULL && all > ORR_SEARCH_MOST)
        return orr_fail(ORR_EUSAGE,
                        "a full search of %llu configurations, more than %d; --strategy staged, or "
                        "--knob NAME=VALUES with fewer values",
                        (unsigned long long)all, ORR_SEARCH_MOST);
    if (!wish->sample)
        out->wish.sample = ORR_SEARCH_SAMPLE;
    const size_t most = RESERVE * out->wish.sample;
    bool every = *strategy == ORR_SEARCH_FULL || most > all / 2;
    size_t room = every ? (size_t)all + 1 : most;
    out->drawn = malloc(room * sizeof *out->drawn);
    if (!out->drawn)
        return orr_fail(ORR_EMEMORY, "no memory for %zu configurations", room);
    out->drawn[out->drawn_count++] = orr_knobs_usual(wish->knobs);
    if (every)
        draw_all(out, all);
    else
        draw_some(out, all, most);
    return 0;
}

void orr_search_release(struct orr_search *search)
{
    free(search->drawn);
    free(search->known);
    search->drawn = NULL;
    search->known = NULL;
}

/* --- what is known --- */

static struct orr_search_known *find(const struct orr_search *s, uint64_t code)
{
    for (size_t k = 0; k < s->known_count; k++)
        if (s->known[k].code == code)
            return &s->known[k];
    return NULL;
}

double orr_search_seconds(const struct orr_search *search, uint64_t code)
{
    const struct orr_search_known *known = find(search, code);
    return known ? known->seconds : NAN;
}

int orr_search_tell(struct orr_search *search, uint64_t code, double seconds)
{
    struct orr_search_known *known = find(search, code);
    if (!known) {
        known = realloc(search->known, (search->known_count + 1) * sizeof *known);
        if (!known)
            return orr_fail(ORR_EMEMORY, "no memory for the search");
        search->known = known;
        known += search->known_count++;
    }
    *known = (struct orr_search_known){code, seconds};
    return 0;
}

/* The fastest of `count` codes; `otherwise` where none has a time. */
static uint64_t fastest(const struct orr_search *s, const uint64_t *codes, size_t count,
                        uint64_t otherwise)
{
    double least = INFINITY;
    for (size_t k = 0; k < count; k++) {
        double seconds = orr_search_seconds(s, codes[k]);
        if (seconds < least) {
            least = seconds;
            otherwise = codes[k];
        }
    }
    return otherwise;
}

/* --- one knob after another --- */

/* The configurations that differ from `at` in one knob at most, but for those that gave no result.
 */
static void line_up(struct orr_search *s, size_t knob)
{
    size_t places[ORR_MOST_KNOBS];
    s->batch_count = 0;
    orr_knobs_places(places, s->wish.knobs, s->at);
    for (size_t v = 0; v < s->wish.knobs->items[knob].count; v++) {
        places[knob] = v;
        uint64_t code = orr_knobs_code(s->wish.knobs, places);
        if (!isinf(orr_search_seconds(s, code)) && code != s->at)
            s->batch[s->batch_count++] = code;
    }
    if (s->batch_count && s->batch_count < ORR_SEARCH_BATCH)
        s->batch[s->batch_count++] = s->at;
}

/* Moves where another value of the knob was faster, measured together. */
static void step(struct orr_search *s)
{
    const uint64_t best = fastest(s, s->batch, s->batch_count, s->at);
    const double now = orr_search_seconds(s, s->at), then = orr_search_seconds(s, best);
    if (best != s->at && (!isfinite(now) || then < now * (1 - LEAST_STEP))) {
        s->at = best;
        s->unchanged = 1; /* this knob is at its best */
    } else {
        s->unchanged++;
    }
}

/* As long as a knob is found that has something to try. */
static size_t descend(struct orr_search *s)
{
    const size_t knobs = s->wish.knobs->count;
    if (!s->descends) {
        s->descends = true;
        s->at = fastest(s, s->drawn, s->given, s->drawn[0]);
    } else {
        step(s);
    }
    for (; s->unchanged < knobs && s->descents < MOST_DESCENTS * knobs; s->unchanged++) {
        line_up(s, s->knob);
        s->knob = (s->knob + 1) % knobs;
        if (s->batch_count) {
            s->descents++;
            return s->batch_count;
        }
    }
    return 0;
}

/* Of those that are drawn: until as many as wanted had a result. */
static size_t left_of(const struct orr_search *s)
{
    size_t left = s->drawn_count - s->given, good = 0;
    if (s->wish.strategy == ORR_SEARCH_FULL)
        return left;
    for (size_t k = 0; k < s->given; k++)
        good += isfinite(orr_search_seconds(s, s->drawn[k]));
    const size_t wanted = s->wish.sample > good ? s->wish.sample - good : 0;
    return left < wanted ? left : wanted;
}

size_t orr_search_next(struct orr_search *search, uint64_t out[ORR_SEARCH_BATCH])
{
    size_t count = search->descends ? 0 : search->given ? left_of(search) : 1;
    if (!count && search->wish.strategy == ORR_SEARCH_STAGED) {
        count = descend(search);
        memcpy(out, search->batch, count * sizeof *out);
        return count;
    }
    if (count > AT_ONCE)
        count = AT_ONCE;
    memcpy(out, search->drawn + search->given, count * sizeof *out);
    search->given += count;
    return count;
}
