/* SPDX-License-Identifier: MIT */
/* orrery dataset: the inputs. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <unistd.h>

#include "cli/cli.h"
#include "datasets/formats/format.h"
#include "datasets/formats/output.h"
#include "paths.h"

/* The options of all verbs; the table of verbs says which one takes which. */
struct request {
    struct orr_words words;
    double n, level, per_box, seed;
    const char *output, *format;
    bool as_json;
};

/* *level receives the level of the boxes, -1 for a data set without. */
static int make_named(struct orr_bodies *out, const struct request *r, const char *name, int *level)
{
    const struct orr_dataset *set = orr_dataset_get(name); /* making an unknown one fails */
    size_t n = isnan(r->n) ? 0 : (size_t)r->n;
    *out = (struct orr_bodies){0};
    *level = isnan(r->level) ? -1 : (int)fmin(r->level, INT_MAX);
    int code = set ? orr_dataset_level(set, level) : 0;
    if (!code && set && !isnan(r->per_box))
        code = orr_dataset_fill(set, (uint64_t)r->per_box, *level, &n);
    return code ? code : orr_dataset_make_boxes(out, name, n, *level, (uint64_t)r->seed);
}

static int run_list(const struct request *r)
{
    size_t count;
    const struct orr_dataset *set = orr_dataset_all(&count);
    json_auto_t *rows = json_array();
    for (; count--; set++)
        json_array_append_new(rows, orr_cli_dataset_to_json(set));
    if (r->as_json)
        return orr_cli_table_json(rows);
    orr_cli_table_print(stdout, rows,
                        "name data set|default_n N|dimensions D|eps|dt|default_level "
                        "level|summary what",
                        0);
    return 0;
}

/* To a file, or to standard output, as CSV unless a format is named. */
static int write_to(struct orr_bodies *bodies, const char *path, const char *format)
{
    char folder[128] = "";
    const bool piped = !strcmp(path, "-");
    int code = orr_cli_pipe_output(folder, &path, "snapshot") ||
               orr_snapshot_write(bodies, path, piped && !format ? "csv" : format) ||
               (piped && orr_cli_pipe_send(path));
    orr_paths_remove_temporary(folder);
    return code ? orr_error_failed() : 0;
}

static int run_make(const struct request *r)
{
    __attribute__((cleanup(orr_bodies_release))) struct orr_bodies bodies = {0};
    char hash[65], boxes[64] = "";
    int level = -1;
    if (!r->output)
        return orr_fail(ORR_EUSAGE, "dataset make needs -o FILE");
    if ((strcmp(r->output, "-") && orr_output_try(r->output)) ||
        make_named(&bodies, r, r->words.items[0], &level) ||
        write_to(&bodies, r->output, r->format))
        return orr_error_failed();
    orr_bodies_sha256(&bodies, hash);
    if (level >= 0)
        snprintf(boxes, sizeof boxes, " (%zu in each box of level %d)", bodies.n >> 2 * level,
                 level);
    fprintf(stderr, "%s: %s, %zu bodies%s, seed %.0f, sha256 %s\n", r->output, r->words.items[0],
            bodies.n, boxes, r->seed, hash);
    return 0;
}

/* A data set by name, else a file that exists or looks like a path. */
static int name_or_file(struct orr_bodies *out, const struct request *r, int *level)
{
    const char *word = r->words.items[0];
    *level = -1;
    if (orr_dataset_get(word) || (access(word, F_OK) && !strpbrk(word, "/.")))
        return make_named(out, r, word, level);
    if (!isnan(r->n) || !isnan(r->level) || !isnan(r->per_box))
        return orr_fail(ORR_EUSAGE, "--n, --level and --per-box belong to data sets; %s is a file",
                        word);
    return orr_snapshot_read(out, word);
}

static json_t *three(const double values[3])
{
    return json_pack("[f, f, f]", values[0], values[1], values[2]);
}

/* A header of 0 says nothing. */
static json_t *said(double value)
{
    return value > 0 ? json_real(value) : NULL;
}

/* With boxes and their domain where there is a level. */
static json_t *measure_bodies(const struct orr_bodies *b, const char *what, int level)
{
    double mass = 0, centre[3] = {0}, low[3], high[3];
    char hash[65];
    const bool boxed = level >= 0;
    for (int k = 0; k < 3; k++)
        low[k] = high[k] = b->pos[k][0];
    for (size_t i = 0; i < b->n; i++) {
        mass += b->mass[i];
        for (int k = 0; k < 3; k++) {
            centre[k] += b->mass[i] * b->pos[k][i];
            low[k] = fmin(low[k], b->pos[k][i]);
            high[k] = fmax(high[k], b->pos[k][i]);
        }
    }
    for (int k = 0; k < 3; k++)
        centre[k] = mass > 0 ? centre[k] / mass : 0;
    orr_bodies_sha256(b, hash);
    return json_pack(
        "{s:o, s:I, s:i, s:f, s:o, s:o, s:o, s:f, s:f, s:s, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, "
        "s:o*, s:o*}",
        "name", orr_json_shown(what), "n", (json_int_t)b->n, "dimensions", b->dimensions, "mass",
        mass, "centre_of_mass", three(centre), "low", three(low), "high", three(high), "eps",
        b->eps, "dt", b->dt, "sha256", hash, "level", boxed ? json_integer(level) : NULL, "per_box",
        boxed ? json_integer((json_int_t)(b->n >> 2 * level)) : NULL, "corner",
        boxed ? json_pack("[f, f]", b->corner[0], b->corner[1]) : NULL, "edge",
        boxed ? json_real(b->edge) : NULL, "gravity", said(b->gravity), "expansion",
        said(b->expansion), "period", said(b->period), "time", said(b->time));
}

static void print_facts(const json_t *facts)
{
    char labels[] = "name|n bodies|dimensions|mass total mass|centre_of_mass centre of mass|"
                    "low lowest|high highest|level level of boxes|per_box bodies in a box|"
                    "corner lower left|edge|eps|dt|gravity G of its units|expansion scale factor|"
                    "period periodic box|time|sha256";
    for (char *rest = labels, *label; (label = strsep(&rest, "|"));) {
        char text[256];
        const char *member = strsep(&label, " ");
        const json_t *value = json_object_get(facts, member);
        const bool unnamed = orr_text_lists("eps dt", member) && json_number_value(value) == 0;
        if (value)
            printf("%-15s %s\n", label ? label : member,
                   unnamed ? "none named" : orr_cli_table_value(text, sizeof text, value));
    }
}

/* The reader notes what it left out or doubts. */
static void print_notes(const struct orr_bodies *bodies)
{
    size_t k;
    json_t *line;
    json_auto_t *lines = orr_json_lines(bodies->notes);
    json_array_foreach (lines, k, line)
        fprintf(stderr, "orrery: note: %s\n", json_string_value(line));
}

static int run_info(const struct request *r)
{
    __attribute__((cleanup(orr_bodies_release))) struct orr_bodies bodies = {0};
    int level;
    if (name_or_file(&bodies, r, &level))
        return orr_error_failed();
    json_auto_t *facts = measure_bodies(&bodies, r->words.items[0], level);
    print_notes(&bodies);
    if (r->as_json)
        return orr_cli_table_json(facts);
    print_facts(facts);
    return 0;
}

struct tally {
    int all, differ;
};

static int verify_one(const struct orr_manifest_entry *entry, void *context)
{
    struct tally *tally = context;
    struct orr_bodies bodies;
    char hash[65];
    if (orr_dataset_make(&bodies, entry->name, entry->n, entry->seed))
        return orr_error_code();
    orr_bodies_sha256(&bodies, hash);
    orr_bodies_release(&bodies);
    const bool same = !strcmp(hash, entry->sha256);
    printf("%-7s %-16s n=%-8zu seed=%" PRIu64 "  %s%s%s\n", same ? "ok" : "differs", entry->name,
           entry->n, entry->seed, hash, same ? "" : ", the manifest has ",
           same ? "" : entry->sha256);
    tally->all++;
    tally->differ += !same;
    return 0;
}

static int run_verify(const struct request *r)
{
    struct tally tally = {0};
    char path[1024];
    (void)r;
    if (orr_paths_home(path, sizeof path, "datasets/manifest") ||
        orr_manifest_read(path, verify_one, &tally))
        return orr_error_failed();
    return tally.differ
               ? orr_fail(ORR_EWRONG,
                          "%d of %d data sets differ from %s: this build does not make the "
                          "published bits",
                          tally.differ, tally.all, path)
               : 0;
}

static int run_convert(const struct request *r)
{
    __attribute__((cleanup(orr_bodies_release))) struct orr_bodies bodies = {0};
    char folder[128] = "";
    const char *from = r->words.items[0], *to = r->words.items[1];
    if (orr_output_is_same(from, to))
        return orr_fail(ORR_EUSAGE, "%s is the snapshot itself; give another file", to);
    const bool failed = orr_cli_pipe_input(folder, &from) || orr_snapshot_read(&bodies, from) ||
                        write_to(&bodies, to, r->format);
    orr_paths_remove_temporary(folder);
    if (failed)
        return orr_error_failed();
    print_notes(&bodies);
    fprintf(stderr, "%s: %zu bodies from %s\n", to, bodies.n, r->words.items[0]);
    return 0;
}

static const struct verb {
    const char *name, *command; /* in commands.txt */
    int (*run)(
        const struct request *request); /* 0, a negative code, or an exit code already reported */
} verbs[] = {
    {"list", "dataset list", run_list},          {"make", "dataset make", run_make},
    {"info", "dataset info", run_info},          {"verify", "dataset verify", run_verify},
    {"convert", "dataset convert", run_convert},
};

static int run_verb(const struct verb *verb, int argc, char **argv)
{
    struct request r = {.n = NAN, .level = NAN, .per_box = NAN, .seed = 1};
    const struct orr_option options[] = {
        {"n", &r.n},           {"level", &r.level}, {"per-box", &r.per_box}, {"seed", &r.seed},
        {"output", &r.output}, {"to", &r.format},   {"json", &r.as_json}};
    int code = orr_options_parse(verb->command, ORR_OPTIONS(options), argc, argv, &r.words);
    if (code)
        return code;
    if (!isnan(r.n) && !isnan(r.per_box))
        code = orr_fail(ORR_EUSAGE,
                        "--n and --per-box both say how many bodies there are; give one of them");
    else
        code = verb->run(&r);
    return code;
}

int orr_cli_dataset(int argc, char **argv)
{
    struct orr_words words = {0};
    const struct verb *verb = argc > 1 ? orr_names_among(argv[1], verbs) : NULL;
    if (verb)
        return run_verb(verb, argc - 1, argv + 1);
    int code = orr_options_parse("dataset", NULL, 0, argc, argv, &words);
    return code ? code
                : orr_names_fail("dataset cannot", *words.items, verbs,
                                 sizeof verbs / sizeof *verbs, sizeof *verbs);
}

json_t *orr_cli_dataset_to_json(const struct orr_dataset *set)
{
    return json_pack(
        "{s:s, s:s, s:i, s:I, s:I, s:I, s:o, s:b, s:o, s:f, s:f}", "name", set->name, "summary",
        set->summary, "dimensions", set->dimensions, "default_n", (json_int_t)set->default_n,
        "min_n", (json_int_t)set->min_n, "max_n", (json_int_t)set->max_n, "multiple",
        set->boxed ? json_null() : json_integer((json_int_t)set->multiple), "boxed", set->boxed,
        "default_level", set->boxed ? json_integer(set->default_level) : json_null(), "eps",
        set->eps, "dt", set->dt);
}
