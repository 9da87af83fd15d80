/* SPDX-License-Identifier: MIT */
#include "plan/paper.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <cyaml/cyaml.h>

#include "error.h"
#include "memory.h"
#include "paths.h"
#include "names.h"
#include "plugin/plugin.h"

/* --- the shape of paper.yaml: a row per member of the structs in paper.h; everything unknown is an
 * error --- */

enum { NAME_LENGTH = 31, TEXT_LENGTH = 1000 };

#define MUST CYAML_FLAG_POINTER
#define MAY (CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL)

static const cyaml_schema_value_t name_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, NAME_LENGTH)};

/* libcyaml's own booleans take any word for true. */
static const cyaml_strval_t booleans[] = {{"false", 0}, {"true", 1}, {"no", 0}, {"yes", 1}};
#define FIELD_BOOLEAN(key, structure, member) \
    CYAML_FIELD_ENUM(key, CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, structure, member, booleans, 4)

#define FIELD_LIST(key, flags, structure, member, of, least) \
    CYAML_FIELD_SEQUENCE(key, flags, structure, member, &(of), least, CYAML_UNLIMITED)

#define MAPPING(structure, fields) CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, structure, fields)

static const cyaml_schema_field_t axis_fields[] = {
    CYAML_FIELD_STRING_PTR("name", MUST, struct orr_axis, name, 1, NAME_LENGTH),
    CYAML_FIELD_STRING_PTR("values", MUST, struct orr_axis, values, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("means", MAY, struct orr_axis, means, 1, TEXT_LENGTH), CYAML_FIELD_END};
static const cyaml_schema_value_t axis_schema = {MAPPING(struct orr_axis, axis_fields)};

static const cyaml_schema_field_t limit_fields[] = {
    CYAML_FIELD_STRING_PTR("variant", MUST, struct orr_limit, variant, 1, NAME_LENGTH),
    CYAML_FIELD_FLOAT("n", CYAML_FLAG_DEFAULT, struct orr_limit, n),
    CYAML_FIELD_STRING_PTR("on", MAY, struct orr_limit, on, 1, NAME_LENGTH), CYAML_FIELD_END};
static const cyaml_schema_value_t limit_schema = {MAPPING(struct orr_limit, limit_fields)};

static const cyaml_schema_field_t preset_fields[] = {
    CYAML_FIELD_STRING_PTR("name", MUST, struct orr_preset, name, 1, NAME_LENGTH),
    FIELD_LIST("axes", MAY, struct orr_preset, axes, axis_schema, 0),
    FIELD_LIST("limits", MAY, struct orr_preset, limits, limit_schema, 0),
    CYAML_FIELD_FLOAT("time_limit_s", CYAML_FLAG_OPTIONAL, struct orr_preset, time_limit_s),
    CYAML_FIELD_FLOAT("timeout_s", CYAML_FLAG_OPTIONAL, struct orr_preset, timeout_s),
    CYAML_FIELD_UINT("long_samples", CYAML_FLAG_OPTIONAL, struct orr_preset, long_samples),
    FIELD_BOOLEAN("skip", struct orr_preset, skip),
    CYAML_FIELD_END};
static const cyaml_schema_value_t preset_schema = {MAPPING(struct orr_preset, preset_fields)};

static const cyaml_schema_field_t bound_fields[] = {
    CYAML_FIELD_FLOAT("median", CYAML_FLAG_DEFAULT, struct orr_bound, median),
    CYAML_FIELD_FLOAT("p99", CYAML_FLAG_DEFAULT, struct orr_bound, p99),
    CYAML_FIELD_FLOAT("max", CYAML_FLAG_DEFAULT, struct orr_bound, max), CYAML_FIELD_END};

static const cyaml_schema_field_t law_fields[] = {
    CYAML_FIELD_FLOAT("floor", CYAML_FLAG_DEFAULT, struct orr_law, floor),
    CYAML_FIELD_FLOAT("at", CYAML_FLAG_DEFAULT, struct orr_law, at),
    CYAML_FIELD_FLOAT("theta", CYAML_FLAG_DEFAULT, struct orr_law, theta),
    CYAML_FIELD_FLOAT("n", CYAML_FLAG_OPTIONAL, struct orr_law, n), CYAML_FIELD_END};
static const cyaml_schema_value_t setting_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, TEXT_LENGTH)};
static const cyaml_schema_field_t tree_bound_fields[] = {
    FIELD_LIST("variants", MUST, struct orr_tree_bound, variants, name_schema, 1),
    FIELD_LIST("settings", MAY, struct orr_tree_bound, settings, setting_schema, 0),
    CYAML_FIELD_FLOAT("up_to", CYAML_FLAG_OPTIONAL, struct orr_tree_bound, up_to),
    CYAML_FIELD_MAPPING("median", CYAML_FLAG_DEFAULT, struct orr_tree_bound, median, law_fields),
    CYAML_FIELD_MAPPING("p99", CYAML_FLAG_DEFAULT, struct orr_tree_bound, p99, law_fields),
    CYAML_FIELD_MAPPING("max", CYAML_FLAG_DEFAULT, struct orr_tree_bound, max, law_fields),
    CYAML_FIELD_END};
static const cyaml_schema_value_t tree_bound_schema = {
    MAPPING(struct orr_tree_bound, tree_bound_fields)};

static const cyaml_schema_field_t experiment_fields[] = {
    CYAML_FIELD_STRING_PTR("name", MUST, struct orr_experiment, name, 1, NAME_LENGTH),
    CYAML_FIELD_STRING_PTR("shows", MUST, struct orr_experiment, shows, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("title", MUST, struct orr_experiment, title, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("layout", MUST, struct orr_experiment, layout, 1, NAME_LENGTH),
    CYAML_FIELD_STRING_PTR("note", MAY, struct orr_experiment, note, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("cells", MAY, struct orr_experiment, cells, 1, NAME_LENGTH),
    FIELD_LIST("axes", MUST, struct orr_experiment, axes, axis_schema, 1),
    FIELD_LIST("baselines", MAY, struct orr_experiment, baselines, name_schema, 0),
    FIELD_LIST("phases", MAY, struct orr_experiment, phases, name_schema, 0),
    CYAML_FIELD_MAPPING_PTR("bound", MAY, struct orr_experiment, bound, bound_fields),
    CYAML_FIELD_UINT("targets", CYAML_FLAG_OPTIONAL, struct orr_experiment, targets),
    FIELD_BOOLEAN("keep_bodies", struct orr_experiment, keep_bodies),
    FIELD_BOOLEAN("counts", struct orr_experiment, counts),
    FIELD_BOOLEAN("trajectory", struct orr_experiment, trajectory),
    FIELD_BOOLEAN("error_curve", struct orr_experiment, error_curve),
    FIELD_BOOLEAN("energy", struct orr_experiment, energy),
    FIELD_BOOLEAN("telling", struct orr_experiment, telling),
    FIELD_LIST("presets", MAY, struct orr_experiment, presets, preset_schema, 0),
    CYAML_FIELD_END};
static const cyaml_schema_value_t experiment_schema = {
    MAPPING(struct orr_experiment, experiment_fields)};

static const cyaml_schema_field_t knob_fields[] = {
    CYAML_FIELD_STRING_PTR("name", MUST, struct orr_knob_range, name, 1, NAME_LENGTH),
    CYAML_FIELD_STRING_PTR("values", MUST, struct orr_knob_range, values, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("on", MAY, struct orr_knob_range, on, 1, NAME_LENGTH), CYAML_FIELD_END};
static const cyaml_schema_value_t knob_schema = {MAPPING(struct orr_knob_range, knob_fields)};

static const cyaml_schema_field_t variant_fields[] = {
    CYAML_FIELD_STRING_PTR("name", MUST, struct orr_paper_variant, name, 1, NAME_LENGTH),
    CYAML_FIELD_STRING_PTR("label", MUST, struct orr_paper_variant, label, 0, TEXT_LENGTH),
    FIELD_LIST("program", MAY, struct orr_paper_variant, program, setting_schema, 1),
    FIELD_LIST("in", MUST, struct orr_paper_variant, in, name_schema, 0),
    FIELD_LIST("knobs", MAY, struct orr_paper_variant, knobs, knob_schema, 0),
    CYAML_FIELD_END};
static const cyaml_schema_value_t variant_schema = {
    MAPPING(struct orr_paper_variant, variant_fields)};

static const cyaml_schema_field_t guess_fields[] = {
    CYAML_FIELD_STRING_PTR("name", MUST, struct orr_guess, name, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("setting", MUST, struct orr_guess, setting, 1, NAME_LENGTH),
    CYAML_FIELD_STRING_PTR("values", MUST, struct orr_guess, values, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("where", MAY, struct orr_guess, where, 1, TEXT_LENGTH),
    FIELD_LIST("claims", MUST, struct orr_guess, claims, name_schema, 1),
    CYAML_FIELD_END};
static const cyaml_schema_value_t guess_schema = {MAPPING(struct orr_guess, guess_fields)};

static const cyaml_schema_field_t paper_fields[] = {
    CYAML_FIELD_STRING_PTR("paper", MUST, struct orr_paper, key, 1, NAME_LENGTH),
    CYAML_FIELD_STRING_PTR("title", MUST, struct orr_paper, title, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("authors", MUST, struct orr_paper, authors, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("venue", MUST, struct orr_paper, venue, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("says", MAY, struct orr_paper, says, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("found", MAY, struct orr_paper, found, 1, TEXT_LENGTH),
    FIELD_BOOLEAN("figures_lost", struct orr_paper, figures_lost),
    CYAML_FIELD_UINT("year", CYAML_FLAG_OPTIONAL, struct orr_paper, year),
    CYAML_FIELD_FLOAT("flops_per_interaction", CYAML_FLAG_DEFAULT, struct orr_paper,
                      flops_per_interaction),
    FIELD_LIST("variants", MUST, struct orr_paper, variants, variant_schema, 1),
    FIELD_LIST("tree_bounds", MAY, struct orr_paper, tree_bounds, tree_bound_schema, 0),
    FIELD_LIST("guess", MAY, struct orr_paper, guess, guess_schema, 0),
    FIELD_LIST("experiments", MUST, struct orr_paper, experiments, experiment_schema, 1),
    CYAML_FIELD_END};
const cyaml_schema_value_t orr_paper_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct orr_paper, paper_fields)};

/* --- reading it --- */

/* What it could complain of was named with its line before. */
static const cyaml_config_t reading = {.mem_fn = cyaml_mem, .flags = CYAML_CFG_NO_ALIAS};

static void register_programs(const struct orr_paper *paper, const char *path)
{
    char name[96], *folder = orr_memory_part(path, (size_t)(strrchr(path, '/') - path));
    for (unsigned k = 0; k < paper->variants_count; k++) {
        const struct orr_paper_variant *v = &paper->variants[k];
        snprintf(name, sizeof name, "%s/%s", paper->key, v->name);
        if (v->program_count)
            orr_program_register(name, v->program, v->program_count, folder);
    }
    free(folder);
}

static int check_key(const char *key)
{
    char **keys;
    int code = orr_paper_keys(&keys);
    if (code)
        return code;
    if (!orr_names_has(keys, key))
        code = orr_names_fail("there is no paper", key, keys, orr_names_count(keys), sizeof *keys);
    orr_names_free(keys);
    return code;
}

int orr_paper_load(struct orr_paper **out, const char *key)
{
    struct orr_paper_text file = {.text = NULL};
    cyaml_data_t *data = NULL;
    int code = check_key(key) || orr_paper_read(&file, key) ? orr_error_code() : 0;
    if (!code && cyaml_load_data((const uint8_t *)file.text, file.size, &reading, &orr_paper_schema,
                                 &data, NULL) != CYAML_OK)
        code = orr_fail(ORR_EINTERNAL, "%s: libcyaml does not take it", file.shown);
    free(file.text);
    *out = data;
    if (!code && strcmp((*out)->key, key) != 0)
        code = orr_paper_blame(key, "paper", "paper is '%s', but the folder is '%s'", (*out)->key,
                               key);
    if (!code)
        return register_programs(*out, file.path), 0;
    orr_paper_free(*out);
    *out = NULL;
    return code;
}

void orr_paper_free(struct orr_paper *paper)
{
    if (paper)
        cyaml_free(&reading, &orr_paper_schema, paper, 0);
}

static void add_keys(struct orr_names *names, const char *root)
{
    char path[PATH_MAX];
    DIR *folder = opendir(root);
    for (struct dirent *item; folder && (item = readdir(folder));)
        if (*item->d_name != '.' && strlen(item->d_name) <= NAME_LENGTH &&
            (size_t)snprintf(path, sizeof path, "%s/%s/paper.yaml", root, item->d_name) <
                sizeof path &&
            !access(path, F_OK))
            orr_names_add(names, "%s", item->d_name);
    if (folder)
        closedir(folder);
}

int orr_paper_keys(char ***out)
{
    struct orr_names names = {0};
    char **roots;
    int code = orr_paths_papers(&roots);
    *out = NULL;
    for (char **root = roots; root && *root; root++)
        add_keys(&names, *root);
    orr_names_free(roots);
    return orr_names_finish(&names, out, code);
}

/* Fails where there is none. */
static const void *find_member(const struct orr_paper *paper, const char *kind, const char *name,
                               const void *items, size_t count, size_t size)
{
    char what[64];
    const void *found = orr_names_find(name, items, count, size);
    snprintf(what, sizeof what, "%s has no %s", paper->key, kind);
    if (!found)
        orr_names_fail(what, name, items, count, size);
    return found;
}

const struct orr_experiment *orr_paper_experiment(const struct orr_paper *paper, const char *name)
{
    return find_member(paper, "experiment", name, paper->experiments, paper->experiments_count,
                       sizeof *paper->experiments);
}

const struct orr_experiment *orr_paper_cells(const struct orr_paper *paper,
                                             const struct orr_experiment *experiment)
{
    const struct orr_experiment *source =
        experiment->cells ? orr_names_find(experiment->cells, paper->experiments,
                                           paper->experiments_count, sizeof *paper->experiments)
                          : NULL;
    return source ? source : experiment;
}

const struct orr_paper_variant *orr_paper_variant(const struct orr_paper *paper, const char *name)
{
    return find_member(paper, "variant", name, paper->variants, paper->variants_count,
                       sizeof *paper->variants);
}

/* --- what there is to ask for --- */

static void add_paper(struct orr_names *names, const char *key, bool all)
{
    struct orr_paper *paper = NULL;
    if (all)
        orr_names_add(names, "%s", key);
    if (orr_paper_load(&paper, key) || !paper) { /* its own command reports what is wrong with it */
        orr_error_clear();
        return;
    }
    for (unsigned k = 0; k < paper->variants_count; k++)
        orr_names_add(names, "%s/%s", key, paper->variants[k].name);
    for (unsigned k = 0; all && k < paper->experiments_count; k++)
        orr_names_add(names, "%s/%s", key, paper->experiments[k].name);
    orr_paper_free(paper);
}

static int collect(char ***out, bool all)
{
    struct orr_names names = {0};
    char **keys = NULL, **plugins = NULL;
    *out = NULL;
    int code = orr_paper_keys(&keys);
    for (char **k = keys; !code && *k; k++)
        add_paper(&names, *k, all);
    if (!code)
        code = orr_plugin_names(&plugins);
    for (char **k = plugins; !code && *k; k++)
        orr_names_add(&names, "%s", *k);
    orr_names_free(keys);
    orr_names_free(plugins);
    return orr_names_finish(&names, out, code);
}

int orr_plan_names(char ***out)
{
    return collect(out, true);
}

int orr_plan_check_variant(const char *name)
{
    char **names;
    int code = collect(&names, false);
    if (code)
        return code;
    if (!orr_names_has(names, name))
        code = orr_names_fail("there is no variant", name, names, orr_names_count(names),
                              sizeof *names);
    orr_names_free(names);
    return code;
}
