/* SPDX-License-Identifier: MIT */
/* What was asked for: pairs of experiments and variants, what their plugins say, and devices. */
#include <ctype.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

#include "error.h"
#include "memory.h"
#include "plan/paper.h"
#include "plan/plan_parts.h"

/* Does `what` name this paper? Only then is a mistake in its paper.yaml reported. */
static bool names_paper(const char *what, const char *key)
{
    char head[128];
    snprintf(head, sizeof head, "%.*s", (int)strcspn(what, "/"), what);
    return !fnmatch(head, key, 0);
}

static int load_papers(struct orr_planner *planner)
{
    const struct orr_words *what = &planner->request->what;
    char **keys;
    int code = orr_paper_keys(&keys);
    if (code)
        return code;
    planner->papers = orr_memory_get((orr_names_count(keys) + 1) * sizeof *planner->papers);
    for (char **key = keys; !code && *key; key++) {
        bool wanted = false;
        for (int k = 0; k < what->count; k++)
            wanted = wanted || names_paper(what->items[k], *key);
        if (wanted && !(code = orr_paper_load(&planner->papers[planner->paper_count], *key)))
            planner->paper_count++;
    }
    orr_names_free(keys);
    return code;
}

/* --- programs of the command line --- */

static const char GIVEN[] = "external-";

/* "external-tree" of a command whose last file is tree.py. */
static void name_program(char *out, size_t size, const char *file)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    int length = snprintf(out, size, "%s%.*s", GIVEN, (int)strcspn(base, "."), base);
    for (char *c = out; *c && length > 0; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            *c = '-';
}

/* One more variant of the paper, in all experiments that have cells of their own. */
static void add_variant(struct orr_paper *paper, const char *name)
{
    struct orr_names in = {0};
    for (unsigned k = 0; k < paper->experiments_count; k++)
        orr_names_add(&in, "%s", paper->experiments[k].name);
    paper->variants =
        orr_memory_more(paper->variants, (paper->variants_count + 1) * sizeof *paper->variants);
    paper->variants[paper->variants_count++] =
        (struct orr_paper_variant){.name = orr_memory_text(name),
                                   .label = orr_memory_text("external"),
                                   .in = in.items,
                                   .in_count = paper->experiments_count};
}

static int add_words(struct orr_paper *paper, char **words, size_t count)
{
    char folder[PATH_MAX], name[32], full[96];
    size_t last = 0;
    if (!getcwd(folder, sizeof folder))
        strcpy(folder, ".");
    for (size_t k = 1; k < count; k++)
        last = access(words[k], F_OK) ? last : k;
    name_program(name, sizeof name, words[last]);
    snprintf(full, sizeof full, "%s/%s", paper->key, name);
    if (orr_names_find(name, paper->variants, paper->variants_count, sizeof *paper->variants))
        return orr_fail(ORR_EUSAGE, "two variants are called %s; give one's file another name",
                        full);
    orr_program_register(full, words, count, folder);
    add_variant(paper, name);
    return 0;
}

/* Splits the command as a shell does. */
static int add_program(struct orr_paper *paper, const char *command)
{
    wordexp_t words = {.we_wordc = 0};
    const int fault = wordexp(command, &words, WRDE_NOCMD);
    const int code = !fault && words.we_wordc
                         ? add_words(paper, words.we_wordv, words.we_wordc)
                         : orr_fail(ORR_EUSAGE,
                                    "--program '%s' is no command and its words%s; write it as "
                                    "'python3 tree.py'",
                                    command, fault == WRDE_SYNTAX ? ": a quote has no end" : "");
    if (!fault)
        wordfree(&words);
    return code;
}

/* Does a word ask for this pair through the experiment `shown`? Notes exact names in the pick, and
 * in hits[k] that word k matched. */
static bool is_asked_by(struct orr_pick *pick, const char *shown, const struct orr_words *what,
                        bool *hits)
{
    char experiment[72], variant[72];
    bool asked = false;
    snprintf(experiment, sizeof experiment, "%s/%s", pick->paper->key, shown);
    snprintf(variant, sizeof variant, "%s/%s", pick->paper->key, pick->variant->name);
    for (int k = 0; k < what->count; k++) {
        if (fnmatch(what->items[k], pick->paper->key, 0) &&
            fnmatch(what->items[k], experiment, 0) && fnmatch(what->items[k], variant, 0))
            continue;
        asked = hits[k] = true;
        pick->variant_named = pick->variant_named || !strcmp(what->items[k], variant);
        pick->experiment_named = pick->experiment_named || !strcmp(what->items[k], experiment);
    }
    return asked;
}

static bool is_asked(struct orr_pick *pick, const struct orr_words *what, bool *hits)
{
    bool asked = false;
    for (unsigned k = 0; k < pick->paper->experiments_count; k++) {
        const struct orr_experiment *shown = &pick->paper->experiments[k];
        if (orr_paper_cells(pick->paper, shown) == pick->experiment &&
            orr_paper_takes_part(pick->variant, shown->name))
            asked |= is_asked_by(pick, shown->name, what, hits);
    }
    return asked;
}

static void pick_from_paper(struct orr_planner *planner, const struct orr_paper *paper, bool *hits)
{
    for (unsigned e = 0; e < paper->experiments_count; e++)
        for (unsigned v = 0; v < paper->variants_count; v++) {
            const struct orr_experiment *experiment = &paper->experiments[e];
            struct orr_pick pick = {
                .paper = paper,
                .experiment = experiment,
                .preset = orr_names_find(planner->preset->name, experiment->presets,
                                         experiment->presets_count, sizeof *experiment->presets),
                .variant = &paper->variants[v],
                .variant_named = !strncmp(paper->variants[v].name, GIVEN, sizeof GIVEN - 1)};
            if (experiment->cells || !is_asked(&pick, &planner->request->what, hits))
                continue;
            struct orr_pick *added =
                orr_memory_add(&planner->picks, &planner->pick_count, sizeof *added);
            *added = pick;
        }
}

/* A word that matched no pair: unknown, or without any pair. */
static int fail_unmatched(const char *word)
{
    char **names;
    int code = orr_plan_names(&names);
    if (code)
        return code;
    if (orr_names_has(names, word))
        code = orr_fail(ORR_EUSAGE, "'%s' is in no experiment, so there is nothing to run", word);
    else
        code = orr_names_fail("there is no paper, experiment or variant", word, names,
                              orr_names_count(names), sizeof *names);
    orr_names_free(names);
    return code;
}

static int pick_all(struct orr_planner *planner)
{
    const struct orr_words *what = &planner->request->what, *programs = &planner->request->programs;
    bool *hits = orr_memory_get((size_t)what->count * sizeof *hits);
    int code = load_papers(planner);
    for (size_t p = 0; !code && p < planner->paper_count; p++) {
        for (int k = 0; !code && k < programs->count; k++)
            code = add_program(planner->papers[p], programs->items[k]);
        pick_from_paper(planner, planner->papers[p], hits);
    }
    for (int k = 0; !code && k < what->count; k++)
        if (!hits[k])
            code = fail_unmatched(what->items[k]);
    free(hits);
    return code;
}

static int inspect_variants(struct orr_planner *planner)
{
    planner->metadata = orr_memory_get(planner->pick_count * sizeof *planner->metadata);
    for (struct orr_pick *pick = planner->picks; pick < planner->picks + planner->pick_count;
         pick++) {
        char name[sizeof planner->metadata->name];
        size_t k = 0;
        snprintf(name, sizeof name, "%.31s/%.31s", pick->paper->key, pick->variant->name);
        while (k < planner->metadata_count && strcmp(planner->metadata[k].name, name) != 0)
            k++;
        strcpy(planner->metadata[k].name, name);
        if (k == planner->metadata_count)
            planner->metadata_count++;
        pick->metadata = &planner->metadata[k];
    }
    int code = orr_plugin_inspect_all(planner->metadata, planner->metadata_count);
    for (size_t k = 0; k < planner->metadata_count && !code; k++)
        if (planner->metadata[k].refused)
            orr_names_add(&planner->notes,
                          planner->metadata[k].refused == ORR_EUNSUPPORTED
                              ? "%s is left out unless it is named: %s"
                              : "%s cannot be used, its cells will fail: %s",
                          planner->metadata[k].name, planner->metadata[k].why);
    return code;
}

/* --- devices --- */

static const char host[] = "host";

static bool is_device_asked(const struct orr_planner *planner, const struct orr_device_info *device)
{
    const struct orr_words *asked = &planner->request->devices;
    bool found = false;
    for (int k = 0; k < asked->count; k++)
        found |=
            !strcmp(asked->items[k], "all") ||
            orr_device_called(planner->devices, planner->device_count, asked->items[k]) == device;
    return found;
}

static int check_devices(const struct orr_planner *planner)
{
    for (int k = 0; k < planner->request->devices.count; k++) {
        const char *id = planner->request->devices.items[k];
        if (!strcmp(id, "all") || !strcmp(id, host) ||
            orr_device_called(planner->devices, planner->device_count, id))
            continue;
        char there[512] = "", why[512];
        for (int d = 0; d < planner->device_count; d++) {
            size_t used = strlen(there);
            snprintf(there + used, sizeof there - used, "%s%s (%s)", d ? ", " : "",
                     planner->devices[d].id, planner->devices[d].name);
        }
        orr_device_no_opencl(why, sizeof why, "; ", planner->devices, planner->device_count);
        return orr_fail(ORR_EUNSUPPORTED, "there is no device '%s' here; there is %s%s", id,
                        there[0] ? there : host, strncmp(id, "opencl", 6) ? "" : why);
    }
    return 0;
}

int orr_plan_devices(const struct orr_device_info *out[], size_t *count,
                     const struct orr_request *request, const struct orr_device_info *devices,
                     int device_count)
{
    const struct orr_planner planner = {
        .request = request, .devices = devices, .device_count = device_count};
    int code = check_devices(&planner);
    *count = 0;
    for (int k = 0; k < device_count && !code; k++)
        if (is_device_asked(&planner, &devices[k]) || (!request->devices.count && !k))
            out[(*count)++] = &devices[k];
    return code;
}

/* A variant that was named goes to every device asked for by name, and may end as "unsupported";
 * otherwise devices that cannot run it are skipped. Where no device is asked for, it goes to the
 * best one; so does a broken plugin, whose cells are refused. */
int orr_plan_choose_devices(const struct orr_planner *planner,
                            const struct orr_inspection *metadata, bool named,
                            const char *out[ORR_PLAN_MAX_DEVICES])
{
    const struct orr_words *asked = &planner->request->devices;
    const struct orr_variant *variant = &metadata->variant;
    const bool all =
                   orr_names_find("all", asked->items, (size_t)asked->count, sizeof *asked->items),
               one = metadata->refused || !asked->count;
    int count = 0;
    if (metadata->refused == ORR_EUNSUPPORTED && !named) /* a program that is not installed */
        return 0;
    if (!metadata->refused && !(variant->capabilities & (ORR_RUNS_OPENCL | ORR_RUNS_CUDA)))
        return *out = host, 1;
    for (int k = 0; k < planner->device_count && count < (one ? 1 : ORR_PLAN_MAX_DEVICES); k++) {
        const struct orr_device_info *device = &planner->devices[k];
        if (asked->count && !is_device_asked(planner, device))
            continue;
        if (metadata->refused || orr_plugin_runs_on(variant, device) ||
            (named && asked->count && !all))
            out[count++] = device->id;
    }
    return count;
}

int orr_plan_select(struct orr_planner *planner)
{
    if (check_devices(planner))
        return orr_error_code();
    if (!planner->request->what.count)
        return orr_fail(
            ORR_EUSAGE,
            "nothing asked for; name a paper, an experiment or a variant (`orrery list`)");
    int code = pick_all(planner);
    return code ? code : inspect_variants(planner);
}
