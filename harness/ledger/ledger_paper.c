/* SPDX-License-Identifier: MIT */
/* Papers in the ledger: paper.yaml as tables, by which a query orders, labels and completes its
 * rows, and published numbers: variants/<paper>/published/ *.csv, digit for digit as printed. */
#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/csv.h"
#include "error.h"
#include "json_member.h"
#include "names.h"
#include "paths.h"
#include "ledger/ledger.h"
#include "ledger/ledger_parts.h"
#include "plan/paper.h"
#include "sql/ledger/published.h"
#include "text.h"

static int add_file(struct orr_ledger *ledger, const char *key, const char *path)
{
    static const char errata[] = "INSERT INTO erratum SELECT ?1, claim, reading, what, at, erratum"
                                 " FROM csv ORDER BY line";
    static const struct orr_csv_kind kinds[] = {
        {"experiment,variant,dataset,n,quantity,value,unit,device,includes,erratum",
         "ledger/published.sql", sql_ledger_published},
        {"device,quantity,value,unit,origin,source,erratum", "ledger/published.sql",
         sql_ledger_devices},
        {"claim,reading,what,at,erratum", "errata", errata},
    };
    return orr_csv_load(ledger, key, path, path, kinds, sizeof kinds / sizeof *kinds,
                        "the header line is not one of published numbers, devices or errata");
}

static int is_csv(const struct dirent *entry)
{
    return !fnmatch("*.csv", entry->d_name, 0);
}

int orr_ledger_add_published(struct orr_ledger *ledger, const char *key, const char *own)
{
    char folder[1024], path[1400];
    const char *shown;
    int code = own ? add_file(ledger, key, own)
                   : orr_paths_paper(folder, sizeof folder, &shown, key, "published");
    if (code || own)
        return code;
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_csv, alphasort);
    for (int k = 0; k < count; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[k]->d_name);
        if (!code)
            code = add_file(ledger, key, path);
        free(entries[k]);
    }
    free(entries);
    return code; /* a paper without published numbers has no such folder */
}

/* --- paper.yaml --- */

static void add_axis(struct orr_ledger *ledger, const char *experiment, unsigned place,
                     const struct orr_axis *axis)
{
    /* "a,b,c" or "lo:hi:*factor" may be a list of numbers or of words. */
    const bool numbers = !axis->values[strspn(axis->values, "0123456789.eE+-*,:")],
               several = strpbrk(axis->values, ",:");
    orr_ledger_put(ledger, "INSERT INTO axis VALUES (?, ?, ?, ?, ?, ?)", "sissii", experiment,
                   (long long)place, axis->name, axis->values, (long long)numbers,
                   (long long)several);
    /* "0,512" with the meanings "0=fitted,512=the paper's": both are lists of words. */
    orr_ledger_put(ledger,
                   "INSERT INTO axis_value SELECT ?1, ?2, v.key, v.value, (SELECT"
                   " nullif(substr(m.value, length(v.value) + 2), '') FROM"
                   " json_each('[' || replace(json_quote(?4), ',', '\",\"') || ']') m"
                   " WHERE substr(m.value, 1, length(v.value) + 1) = v.value || '=')"
                   " FROM json_each('[' || replace(json_quote(?3), ',', '\",\"') || ']') v",
                   "ssss", experiment, axis->name, axis->values, axis->means);
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

static int add_guess(struct orr_ledger *ledger, const struct orr_paper *paper, unsigned index)
{
    const struct orr_guess *guess = &paper->guess[index];
    char **values = NULL;
    json_t *list = orr_json_list(guess->claims, guess->claims_count);
    char *claims = json_dumps(list, JSON_COMPACT);
    int code = orr_axis_values(&values, guess->values, false);
    for (size_t k = 0; !code && values[k]; k++)
        orr_ledger_put(ledger,
                       "INSERT INTO guess SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7,"
                       " substr(?8, 1, instr(?8, '=') - 1), substr(?8, instr(?8, '=') + 1), ?9",
                       "siissssss", paper->key, (long long)index, (long long)k, guess->name,
                       guess->setting, values[k], values[0], guess->where, claims);
    orr_names_free(values);
    free(claims);
    json_decref(list);
    return code;
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
    for (unsigned k = 0; k < paper->guess_count; k++)
        if (add_guess(ledger, paper, k))
            return orr_error_code();
    return ledger->failed ? ledger->failed : orr_ledger_add_published(ledger, paper->key, NULL);
}
