#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/attend.h"
#include "cli/options.h"
#include "datasets/formats/format.h"
#include "datasets/formats/output.h"
#include "error.h"
#include "plan/paper.h"
#include "text.h"

struct eval {
    struct orr_words variant, set;
    const char *input, *output, *device;
    double timeout_s;
    bool json;
    struct orr_attend attend;
};

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return !stat(a, &first) && !stat(b, &second) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* Before anything is computed: can the results be written at all? */
static int check_output(const struct eval *e)
{
    if (is_same_file(e->input, e->output))
        return orr_fail(ORR_EUSAGE, "--output %s is the snapshot itself; give another file", e->output);
    int code = orr_forces_check_path(e->output);
    return code ? code : orr_output_try(e->output);
}

static int parse(struct eval *e, int argc, char **argv)
{
    const struct orr_option table[] = {
        {"input", 'i', ORR_OPTION_TEXT, &e->input, "SNAPSHOT", "bodies: Gadget HDF5, Tipsy or CSV"},
        {"output", 'o', ORR_OPTION_TEXT, &e->output, "ACC",
         "accelerations: .csv or .hdf5, a row a body in input order"},
        {"device", 0, ORR_OPTION_TEXT, &e->device, "D", "cuda:0, opencl:0.0, host; default: the best that fits"},
        {"set", 0, ORR_OPTION_REPEAT, &e->set, "NAME=VALUE", "a parameter of the variant; repeatable"},
        {"timeout", 0, ORR_OPTION_NUMBER, &e->timeout_s, "S", "give up after so many seconds (3600)"},
        {"json", 0, ORR_OPTION_FLAG, &e->json, NULL, "the summary as one JSON object"},
    };
    const struct orr_options options = {
        "eval VARIANT --input SNAPSHOT --output ACC [options]",
        "Accelerations of your own bodies, and the potential where the variant has one; "
        "verified in double precision.",
        table, sizeof table / sizeof *table};
    e->timeout_s = 3600;
    int code = orr_options_parse(&options, argc, argv, &e->variant);
    if (code)
        return code;
    if (e->variant.count != 1 || !e->input || !e->output)
        return orr_fail(ORR_EUSAGE, "eval needs one variant, --input SNAPSHOT and --output ACC; --help explains");
    if (!(e->timeout_s > 0))
        return orr_fail(ORR_EUSAGE, "--timeout takes seconds above 0");
    return check_output(e);
}

/* The loosest bound of the paper's experiments that the variant takes part in. */
static json_t *find_bound(const char *variant)
{
    struct orr_bound bound = {0};
    char key[64];
    snprintf(key, sizeof key, "%.*s", (int)strcspn(variant, "/"), variant);
    struct orr_paper *paper = NULL;
    const struct orr_paper_variant *known = NULL;
    const char *slash = strchr(variant, '/');
    if (slash && !orr_paper_load(&paper, key))
        known = orr_paper_variant(paper, slash + 1);
    for (unsigned k = 0; known && k < known->in_count; k++) {
        const struct orr_experiment *in = orr_paper_experiment(paper, known->in[k]);
        if (in && in->bound && in->bound->p99 > bound.p99)
            bound = *in->bound;
    }
    orr_paper_free(paper);
    orr_error_clear();
    if (!(bound.p99 > 0)) /* a plugin without a paper */
        bound = (struct orr_bound){1e-5, 1e-4, 1e-3};
    return json_pack("{s:f, s:f, s:f}", "median", bound.median, "p99", bound.p99, "max", bound.max);
}

static int settings_to_json(json_t *to, const struct orr_words *set)
{
    for (int k = 0; k < set->count; k++) {
        char name[32];
        const char *equals = strchr(set->items[k], '=');
        size_t length = equals ? (size_t)(equals - set->items[k]) : 0;
        if (!length || length >= sizeof name || !equals[1] || strlen(equals + 1) >= 64)
            return orr_fail(ORR_EUSAGE, "--set takes NAME=VALUE, not '%s'", set->items[k]);
        snprintf(name, sizeof name, "%.*s", (int)length, set->items[k]);
        json_object_set_new(to, name, json_string(equals + 1));
    }
    return 0;
}

static void print_stages(json_t *stages)
{
    char seconds[32];
    size_t k;
    json_t *stage;
    json_array_foreach(stages, k, stage)
    {
        printf("%s%s %s", k ? ", " : "before that on the host: ", json_string_value(json_object_get(stage, "name")),
               orr_text_seconds(seconds, sizeof seconds, json_number_value(json_object_get(stage, "seconds"))));
    }
    if (json_array_size(stages))
        putchar('\n');
}

/* The largest error of a potential is 0 where there is none. */
static void print_error(json_t *error)
{
    double potential = json_number_value(json_object_get(error, "phi_max"));
    printf("relative error against fp64 over %lld bodies: median %.1e, 99 %% below %.1e, largest %.1e",
           (long long)json_integer_value(json_object_get(error, "targets")),
           json_number_value(json_object_get(error, "median")), json_number_value(json_object_get(error, "p99")),
           json_number_value(json_object_get(error, "max")));
    if (potential > 0)
        printf(", potential %.1e", potential);
    putchar('\n');
}

static void print_summary(const struct eval *e, json_t *answer)
{
    char seconds[32];
    if (e->json) {
        json_dumpf(answer, stdout, JSON_COMPACT);
        putchar('\n');
        return;
    }
    printf("%s: %lld bodies in %d dimensions on %s (%s), %s a step\n", e->variant.items[0],
           (long long)json_integer_value(json_object_get(answer, "n")),
           (int)json_integer_value(json_object_get(answer, "dimensions")),
           json_string_value(json_object_get(answer, "device")),
           json_string_value(json_object_get(answer, "device_name")),
           orr_text_seconds(seconds, sizeof seconds, json_number_value(json_object_get(answer, "seconds"))));
    print_stages(json_object_get(answer, "stages"));
    print_error(json_object_get(answer, "error"));
    printf("written: %s\n", e->output);
}

/* The worker's answer becomes the summary or the recorded error. */
static int take_answer(struct eval *e, enum orr_heard heard, json_t *answer)
{
    char reason[512];
    const char *say = json_string_value(json_object_get(answer, "say"));
    if (heard == ORR_HEARD_TIMEOUT)
        return orr_fail(ORR_EDEVICE, "no result within %g s; --timeout S allows more", e->timeout_s);
    if (heard != ORR_HEARD_MESSAGE) {
        const char *outcome = orr_child_bury(&e->attend.child, reason, sizeof reason);
        return orr_fail(!strcmp(outcome, "no memory") ? ORR_EMEMORY : ORR_EINTERNAL, "%s", reason);
    }
    if (!say || strcmp(say, "done"))
        return orr_fail((int)json_integer_value(json_object_get(answer, "code")), "%s",
                        json_string_value(json_object_get(answer, "text")));
    json_object_del(answer, "say");
    json_object_del(answer, "lost");
    print_summary(e, answer);
    return 0;
}

static int evaluate(struct eval *e, enum orr_heard *heard)
{
    json_t *settings = json_object(), *answer;
    int code = settings_to_json(settings, &e->set);
    if (!code)
        code = orr_attend_begin(&e->attend);
    if (code) {
        json_decref(settings);
        return code;
    }
    json_t *request = json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "ask", "eval", "variant", e->variant.items[0],
                                "device", e->device ? e->device : "", "input", e->input, "output", e->output,
                                "settings", settings, "bound", find_bound(e->variant.items[0]));
    *heard = orr_child_ask(&e->attend.child, request, e->timeout_s, e->attend.signals, NULL, NULL, &answer);
    if (*heard != ORR_HEARD_SIGNAL)
        code = take_answer(e, *heard, answer);
    json_decref(answer);
    return code;
}

int orr_cli_eval(int argc, char **argv)
{
    struct eval e = {.attend = ORR_ATTEND_INIT};
    enum orr_heard heard = ORR_HEARD_MESSAGE;
    int code = parse(&e, argc, argv);
    int status = ORR_EXIT_OK;
    if (!code)
        code = evaluate(&e, &heard);
    if (code < 0)
        status = orr_cli_report_error();
    else if (heard == ORR_HEARD_SIGNAL)
        status = ORR_EXIT_INTERRUPTED;
    orr_attend_release(&e.attend, heard != ORR_HEARD_MESSAGE);
    orr_words_release(&e.variant);
    orr_words_release(&e.set);
    return status;
}
