/* orrery claims --expect FILE: the verdicts against those of an earlier --json. */
#include <stdio.h>
#include <string.h>

#include "cli/claims_parts.h"
#include "cli/cli.h"
#include "cli/text_table.h"
#include "error.h"
#include "json_member.h"

static const char *text(const json_t *row, const char *name)
{
    const char *value = orr_json_text(row, name);
    return value ? value : "";
}

/* The same claim on the same device, read in the same way. */
static bool same(const json_t *a, const json_t *b)
{
    static const char *const names[] = {"paper", "id", "machine", "device", "reading"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(text(a, names[k]), text(b, names[k])) != 0)
            return false;
    return true;
}

static const json_t *find(const json_t *rows, const json_t *like)
{
    size_t k;
    json_t *row;
    json_array_foreach(rows, k, row)
    {
        if (same(row, like))
            return row;
    }
    return NULL;
}

/* Verdicts that were not asked for now are not missed. */
static bool is_asked(const json_t *row, const struct orr_expectation *e)
{
    const char *machine = orr_json_text(row, "machine");
    if (e->machine && machine && strcmp(machine, e->machine) != 0)
        return false;
    for (size_t k = 0; k < e->paper_count; k++)
        if (!strcmp(text(row, "paper"), e->papers[k]->key))
            return true;
    return false;
}

static void add(json_t *changes, const json_t *of, const char *was, const char *is)
{
    json_array_append_new(changes, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s?, s:s?}", "paper",
                                             text(of, "paper"), "id", text(of, "id"), "machine",
                                             text(of, "machine"), "device", text(of, "device"),
                                             "reading", text(of, "reading"), "was", was, "is", is));
}

/* Is the file silent on the paper, and is that only remarked? */
static bool is_passed_over(const json_t *expected, const json_t *row,
                           const struct orr_expectation *e)
{
    size_t k;
    json_t *other;
    json_array_foreach(expected, k, other)
    {
        if (!strcmp(text(other, "paper"), text(row, "paper")))
            return false;
    }
    json_array_foreach(e->silent, k, other)
    {
        if (!strcmp(json_string_value(other), text(row, "paper")))
            return true;
    }
    if (*text(row, "machine")) /* a verdict by the paper alone says nothing of the results */
        json_array_append(e->silent, json_object_get(row, "paper"));
    return e->silent;
}

static void compare(json_t *changes, const json_t *rows, const json_t *expected,
                    const struct orr_expectation *e)
{
    size_t k;
    json_t *row;
    json_array_foreach(expected, k, row)
    {
        const json_t *now = is_asked(row, e) ? find(rows, row) : row;
        const char *is = now ? orr_json_text(now, "verdict") : NULL;
        if (!is || strcmp(is, text(row, "verdict")) != 0)
            add(changes, row, text(row, "verdict"), is);
    }
    json_array_foreach(rows, k, row)
    {
        const json_t *was = find(expected, row);
        if (was && !strcmp(text(was, "verdict"), text(row, "verdict")))
            json_array_append(e->agreed, row);
        if (!was && !e->listed && !is_passed_over(expected, row, e))
            add(changes, row, NULL, text(row, "verdict"));
    }
}

/* "shan S3, nvidia-h200 cuda:0, mechanism" */
static void print_name(const json_t *row)
{
    const char *machine = text(row, "machine"), *reading = text(row, "reading");
    bool plain = !strcmp(reading, "as printed");
    printf("%s %s%s%s%s%s%s%s: ", text(row, "paper"), text(row, "id"), *machine ? ", " : "",
           machine, *machine ? " " : "", text(row, "device"), plain ? "" : ", ",
           plain ? "" : reading);
}

void orr_cli_claims_print_changes(const json_t *changes)
{
    size_t k;
    json_t *row;
    json_array_foreach(changes, k, row)
    {
        const char *was = orr_json_text(row, "was"), *is = orr_json_text(row, "is");
        print_name(row);
        if (!was)
            printf("%s, which was not expected\n", is);
        else if (!is)
            printf("no verdict; %s was expected\n", was);
        else
            printf("%s; %s was expected\n", is, was);
    }
}

static void print_agreed(const json_t *rows, size_t changes)
{
    size_t k;
    json_t *row;
    json_array_foreach(rows, k, row)
    {
        print_name(row);
        printf("%s, as expected\n", text(row, "verdict"));
    }
    printf("%zu verdicts as expected, %zu not\n", json_array_size(rows), changes);
}

static int read_file(json_t **out, const char *path)
{
    json_error_t error;
    size_t k;
    json_t *row;
    *out = json_load_file(path, 0, &error);
    if (!*out && error.line < 1) /* it was not even opened */
        return orr_fail(ORR_EINPUT, "%s", error.text);
    if (!*out)
        return orr_fail(ORR_EINPUT, "%s:%d: %s", path, error.line, error.text);
    bool fits = json_is_array(*out);
    json_array_foreach(*out, k, row)
    {
        fits = fits && orr_json_text(row, "id") && orr_json_text(row, "verdict");
    }
    return fits ? 0 : orr_fail(ORR_EINPUT, "%s: no output of `orrery claims --json`", path);
}

int orr_cli_claims_changes(json_t *changes, const json_t *rows,
                           const struct orr_expectation *expectation)
{
    json_t *expected = NULL;
    int code = read_file(&expected, expectation->path);
    if (!code)
        compare(changes, rows, expected, expectation);
    json_decref(expected);
    return code;
}

int orr_cli_claims_expect(const json_t *rows, const struct orr_expectation *expectation,
                          bool as_json)
{
    json_t *changes = json_array(), *agreed = json_array();
    struct orr_expectation asked = *expectation;
    asked.agreed = agreed;
    int code = orr_cli_claims_changes(changes, rows, &asked);
    int status = code ? orr_cli_report_error() : ORR_EXIT_OK;
    if (!code && as_json)
        status = orr_text_table_json(json_incref(changes));
    else if (!code)
        orr_cli_claims_print_changes(changes);
    if (!code && !as_json && asked.listed)
        print_agreed(agreed, json_array_size(changes));
    if (!status && json_array_size(changes))
        status = ORR_EXIT_DIFFERENCE;
    json_decref(changes);
    json_decref(agreed);
    return status;
}
