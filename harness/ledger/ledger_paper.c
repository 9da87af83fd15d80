/* paper.yaml as tables: what a query orders, labels and completes its rows by. */
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "ledger/ledger_parts.h"
#include "plan/paper.h"
#include "text.h"

/* The next of "a,b,c" into `word`; false behind the last. */
static bool next_word(char *word, size_t size, const char **at)
{
    if (!**at)
        return false;
    size_t length = strcspn(*at, ",");
    snprintf(word, size, "%.*s", (int)length, *at);
    *at += length + ((*at)[length] == ',');
    return true;
}

/* Whether "a,b,c" or "lo:hi:*factor" is a list of numbers. */
static bool are_numbers(const char *values)
{
    char word[64];
    double ignored;
    for (const char *at = values; *at; at += strspn(at, ",:")) {
        size_t length = strcspn(at, ",:");
        snprintf(word, sizeof word, "%.*s", (int)length, at + (*at == '*' || *at == '+'));
        if (!orr_text_number(word, &ignored))
            return false;
        at += length;
    }
    return true;
}

/* The meaning of a value in paper.yaml ("0=fitted,512=the paper's"); "" without one. */
static void meaning_of(char *out, size_t size, const struct orr_axis *axis, const char *value)
{
    char word[128];
    size_t length = strlen(value);
    *out = '\0';
    for (const char *at = axis->means ? axis->means : ""; next_word(word, sizeof word, &at);)
        if (!strncmp(word, value, length) && word[length] == '=')
            snprintf(out, size, "%s", word + length + 1);
}

static void add_axis(struct orr_ledger *ledger, const char *experiment, unsigned place,
                     const struct orr_axis *axis)
{
    char value[64], means[128];
    bool numbers = are_numbers(axis->values), several = strpbrk(axis->values, ",:") != NULL;
    orr_ledger_put(ledger, "INSERT INTO axis VALUES (?, ?, ?, ?, ?, ?)", "sissii", experiment,
                   (long long)place, axis->name, axis->values, (long long)numbers,
                   (long long)several);
    long long at_place = 0;
    for (const char *at = axis->values; next_word(value, sizeof value, &at); at_place++) {
        meaning_of(means, sizeof means, axis, value);
        orr_ledger_put(ledger, "INSERT INTO axis_value VALUES (?, ?, ?, ?, nullif(?, ''))", "ssiss",
                       experiment, axis->name, at_place, value, means);
    }
}

static void add_preset(struct orr_ledger *ledger, const char *experiment, unsigned place,
                       const struct orr_preset *preset)
{
    orr_ledger_put(ledger, "INSERT INTO preset VALUES (?, ?, ?, ?, ?, ?, ?)", "sisiddi", experiment,
                   (long long)place, preset->name, (long long)preset->skip, preset->time_limit_s,
                   preset->timeout_s, (long long)preset->long_samples);
    for (unsigned k = 0; k < preset->axes_count; k++)
        orr_ledger_put(ledger, "INSERT INTO preset_axis VALUES (?, ?, ?, ?)", "ssss", experiment,
                       preset->name, preset->axes[k].name, preset->axes[k].values);
    for (unsigned k = 0; k < preset->limits_count; k++)
        orr_ledger_put(ledger, "INSERT INTO preset_limit VALUES (?, ?, ?, ?, ?)", "sssds",
                       experiment, preset->name, preset->limits[k].variant, preset->limits[k].n,
                       preset->limits[k].on);
}

static void add_experiment(struct orr_ledger *ledger, const struct orr_paper *paper, unsigned place)
{
    const struct orr_experiment *e = &paper->experiments[place];
    char name[128], cells[128];
    snprintf(name, sizeof name, "%s/%s", paper->key, e->name);
    snprintf(cells, sizeof cells, "%s/%s", paper->key, orr_paper_cells(paper, e)->name);
    orr_ledger_put(ledger, "INSERT INTO experiment VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, ''), ?)",
                   "sisssssss", paper->key, (long long)place, name, e->name,
                   e->shows ? e->shows : e->name, e->title ? e->title : "",
                   e->layout ? e->layout : "times", e->note ? e->note : "", cells);
    for (unsigned k = 0; k < e->axes_count; k++)
        add_axis(ledger, name, k, &e->axes[k]);
    for (unsigned k = 0; k < e->presets_count; k++)
        add_preset(ledger, name, k, &e->presets[k]);
    for (unsigned k = 0; k < e->baselines_count; k++)
        orr_ledger_put(ledger, "INSERT INTO baseline VALUES (?, ?, ?)", "sis", name, (long long)k,
                       e->baselines[k]);
    for (unsigned k = 0; k < e->phases_count; k++)
        orr_ledger_put(ledger, "INSERT INTO drawn_phase VALUES (?, ?, ?)", "sis", name,
                       (long long)k, e->phases[k]);
}

static void add_variant(struct orr_ledger *ledger, const struct orr_paper *paper, unsigned place)
{
    const struct orr_paper_variant *v = &paper->variants[place];
    bool named = v->label && *v->label;
    orr_ledger_put(ledger, "INSERT INTO variant VALUES (?, ?, ?, ?, ?)", "sissi", paper->key,
                   (long long)place, v->name, named ? v->label : v->name, (long long)named);
    for (unsigned k = 0; k < v->in_count; k++)
        orr_ledger_put(ledger, "INSERT INTO takes_part VALUES (? || '/' || ?, ?)", "sss",
                       paper->key, v->in[k], v->name);
}

int orr_ledger_add_paper(struct orr_ledger *ledger, const struct orr_paper *paper)
{
    orr_ledger_put(ledger, "INSERT INTO paper VALUES (?, ?, ?, ?, nullif(?, 0), ?)", "ssssid",
                   paper->key, paper->title, paper->authors, paper->venue, (long long)paper->year,
                   paper->flops_per_interaction);
    for (unsigned k = 0; k < paper->variants_count; k++)
        add_variant(ledger, paper, k);
    for (unsigned k = 0; k < paper->experiments_count; k++)
        add_experiment(ledger, paper, k);
    return ledger->failed ? ledger->failed : orr_ledger_add_published(ledger, paper->key);
}
