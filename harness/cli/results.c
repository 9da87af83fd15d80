/* SPDX-License-Identifier: MIT */
/* Input and output that commands share which show results. */
#include "cli/cli.h"
#include "datasets/formats/output.h"
#include "present/layout.h"

void orr_cli_warn_damaged(const struct orr_journal_damage *damage)
{
    char named[sizeof damage->text], more[40] = "";
    if (!damage->count)
        return;
    if (damage->count > damage->named)
        snprintf(more, sizeof more, "; and %zu more", damage->count - damage->named);
    strcpy(named, damage->text);
    fprintf(stderr, "orrery: warning: %zu damaged line%s in the journals skipped: %s%s\n",
            damage->count, damage->count == 1 ? "" : "s", orr_text_tame(named), more);
}

static int warn_of_campaign(bool is_fault, const char *text, void *context)
{
    (void)is_fault, (void)context;
    char tamed[1024];
    snprintf(tamed, sizeof tamed, "%s", text);
    fprintf(stderr, "orrery: warning: %s\n", orr_text_tame(tamed));
    return 0;
}

/* A machine named twice would be compared with itself. */
static int check_machines(const struct orr_result_source *source)
{
    const struct orr_words *machines = &source->machines;
    if (machines->count > 1 && !source->several)
        return orr_fail(ORR_EUSAGE, "--machine takes one machine here; `orrery table EXPERIMENT` "
                                    "and `orrery generations` show several side by side");
    for (int k = 0; k < machines->count; k++)
        if (orr_names_find(machines->items[k], machines->items, (size_t)k, sizeof *machines->items))
            return orr_fail(ORR_EUSAGE, "--machine names %s twice", machines->items[k]);
    return 0;
}

int orr_cli_select(struct orr_selection *out, const struct orr_result_source *source,
                   const char *what)
{
    const struct orr_selection_options options = {.from = source->from.items,
                                                  .from_count = source->from.count,
                                                  .reference = source->reference,
                                                  .machines = source->machines.items,
                                                  .machine_count = source->machines.count,
                                                  .alone = source->alone};
    if (check_machines(source) || orr_selection_make(out, &options, what))
        return orr_error_failed();
    if (source->timeout_s > 0)
        orr_ledger_limit(&out->ledger, source->timeout_s, NULL);
    orr_cli_warn_damaged(&out->ledger.damage);
    if (!out->ledger.journals)
        fprintf(stderr, "orrery: warning: no journals here; `orrery run` makes them, -r names "
                        "others, --reference takes"
                        " those that come with Orrery\n");
    return orr_ledger_campaign(&out->ledger, false, warn_of_campaign, NULL);
}

int orr_cli_add_documents(struct orr_documents *all, const struct orr_selection *selection,
                          const struct orr_target *target)
{
    struct orr_scopes scopes;
    int code = orr_selection_scopes(&scopes, selection, target);
    for (size_t k = 0; k < scopes.count && !code; k++)
        code = orr_layout_show(orr_cli_new_document(all), NULL, &scopes.items[k]);
    orr_selection_release_scopes(&scopes);
    return code;
}

void orr_cli_release_documents(struct orr_documents *all)
{
    for (size_t k = 0; k < all->count; k++)
        orr_document_release(&all->items[k]);
    free(all->items);
    *all = (struct orr_documents){0};
}

int orr_cli_write_documents(const struct orr_documents *all, const struct orr_format *format,
                            const char *path)
{
    struct orr_output output;
    if (!path)
        return format->write(stdout, all->items, all->count);
    if (orr_output_begin(&output, path) || orr_output_open(&output))
        return orr_error_code();
    return orr_output_end(&output, format->write(output.file, all->items, all->count));
}

/* --- --junit FILE: outcomes as test cases in XML, which Jenkins, GitLab and GitHub read --- */

static const char *text_of(const json_t *row, const char *name)
{
    const char *text = orr_json_text(row, name);
    return text ? text : "";
}

static void put_case(FILE *to, const json_t *row)
{
    static const char *const outcomes[] = {"failure", "skipped"};
    const json_t *seconds = json_object_get(row, "seconds");
    orr_html_print(to, "<testcase classname=\"%s\" name=\"%s\"", text_of(row, "class"),
                   text_of(row, "name"));
    if (json_is_number(seconds))
        fprintf(to, " time=\"%.9f\"", json_number_value(seconds));
    for (size_t k = 0; k < sizeof outcomes / sizeof *outcomes; k++)
        if (orr_json_text(row, outcomes[k])) {
            orr_html_print(to, ">\n<%s message=\"%s\">%s</%s>\n</testcase>\n", outcomes[k],
                           text_of(row, outcomes[k]), text_of(row, "said"), outcomes[k]);
            return;
        }
    fputs("/>\n", to);
}

int orr_cli_junit(const char *path, const char *suite, const json_t *cases)
{
    struct orr_output output;
    size_t k, failed = 0, skipped = 0;
    json_t *row;
    json_array_foreach (cases, k, row) {
        failed += orr_json_text(row, "failure") != NULL;
        skipped += orr_json_text(row, "skipped") != NULL;
    }
    if (orr_output_begin(&output, path) || orr_output_open(&output))
        return orr_error_code();
    fprintf(
        output.file,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"orrery %s\" "
        "tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n",
        suite, json_array_size(cases), failed, skipped);
    json_array_foreach (cases, k, row)
        put_case(output.file, row);
    fputs("</testsuite>\n</testsuites>\n", output.file);
    return orr_output_end(&output, 0);
}
