/* orrery describe: a paper, experiment, variant or data set in full. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/dataset_row.h"
#include "cli/describe_parts.h"
#include "cli/options.h"
#include "cli/text_table.h"
#include "datasets/dataset.h"
#include "error.h"
#include "names.h"
#include "plan/catalogue.h"
#include "plan/paper.h"
#include "plugin/plugin.h"

static int describe_dataset(json_t **out, const struct orr_dataset *set)
{
    *out = orr_dataset_row(set);
    json_object_set_new(*out, "kind", json_string("data set"));
    return *out ? 0 : orr_fail(ORR_EMEMORY, "no memory to describe %s", set->name);
}

/* What the plugin says of itself, and what its paper says of it (`paper` may be NULL). */
static int describe_variant(json_t **out, const char *name, const struct orr_paper_variant *variant)
{
    struct orr_inspection inspection;
    int code = orr_plugin_inspect(&inspection, name);
    if (code)
        return code;
    *out = json_incref(inspection.about);
    json_object_set_new(*out, "kind", json_string("variant"));
    if (variant) {
        json_t *in = json_array();
        for (unsigned k = 0; k < variant->in_count; k++)
            json_array_append_new(in, json_string(variant->in[k]));
        json_object_set_new(*out, "label", json_string(variant->label));
        json_object_set_new(*out, "experiments", in);
    }
    orr_inspect_release(&inspection);
    return 0;
}

static int fail_unknown(const char *name)
{
    struct orr_names names = {0};
    char **known = NULL, **all = NULL;
    size_t count;
    const struct orr_dataset *const *sets = orr_dataset_all(&count);
    int code = orr_catalogue_names(&known);
    for (char **k = known; !code && *k; k++)
        code = orr_names_add(&names, "%s", *k);
    for (size_t k = 0; !code && k < count; k++)
        code = orr_names_add(&names, "%s", sets[k]->name);
    code = orr_names_finish(&names, &all, code);
    if (!code)
        code = orr_names_fail("there is no paper, experiment, variant or data set", name, all,
                              orr_names_count(all), sizeof *all);
    orr_names_free(known);
    orr_names_free(all);
    return code;
}

static bool contains(char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (!strcmp(*names, name))
            return true;
    return false;
}

/* "paper", "paper/experiment" or "paper/variant" of a paper that exists; *out stays NULL when it
 * has no such member. */
static int describe_of_paper(json_t **out, const char *key, const char *name)
{
    struct orr_paper *paper;
    const char *member = strchr(name, '/');
    int code = orr_paper_load(&paper, key);
    if (code)
        return code;
    if (!member)
        code = orr_describe_paper(out, paper);
    for (unsigned k = 0; member && k < paper->experiments_count; k++)
        if (!strcmp(paper->experiments[k].name, member + 1))
            code = orr_describe_experiment(out, paper, &paper->experiments[k]);
    for (unsigned k = 0; member && k < paper->variants_count; k++)
        if (!strcmp(paper->variants[k].name, member + 1))
            code = describe_variant(out, name, &paper->variants[k]);
    orr_paper_free(paper);
    return code;
}

static int describe(json_t **out, const char *name)
{
    char key[64], **papers = NULL, **plugins = NULL;
    const struct orr_dataset *set = orr_dataset_get(name);
    *out = NULL;
    if (set)
        return describe_dataset(out, set);
    snprintf(key, sizeof key, "%.*s", (int)strcspn(name, "/"), name);
    int code = orr_paper_keys(&papers);
    if (!code)
        code = orr_plugin_names(&plugins);
    if (!code && contains(papers, key))
        code = describe_of_paper(out, key, name);
    if (!code && !*out && contains(plugins, name)) /* a plugin that no paper names */
        code = describe_variant(out, name, NULL);
    orr_names_free(papers);
    orr_names_free(plugins);
    return code || *out ? code : fail_unknown(name);
}

int orr_cli_describe(int argc, char **argv)
{
    bool as_json = false;
    const struct orr_option options[] = {
        {"json", 0, ORR_OPTION_FLAG, &as_json, NULL, "one JSON object on stdout"}};
    const struct orr_options all = {"describe NAME [options]",
                                    "A paper, an experiment, a variant or a data set in full.",
                                    options, 1};
    struct orr_words words = {0};
    json_t *about = NULL;
    int code = orr_options_parse(&all, argc, argv, &words), status = ORR_EXIT_OK;
    if (!code && words.count != 1)
        code = orr_fail(ORR_EUSAGE, "describe takes one name; `orrery list` shows them");
    if (!code)
        code = describe(&about, words.items[0]);
    if (code < 0)
        status = orr_cli_report_error();
    else if (!code && as_json)
        status = orr_text_table_json(json_incref(about));
    else if (!code)
        orr_describe_print(about);
    json_decref(about);
    orr_options_release_words(&words);
    return status;
}
