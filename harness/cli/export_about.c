/* What an artifact is about: papers, machines, data sets, claims and their expected verdicts. */
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "artifact/artifact.h"
#include "cli/claims_parts.h"
#include "cli/export_parts.h"
#include "cli/query_rows.h"
#include "error.h"
#include "json_member.h"
#include "sql/cli/export_machines.h"
#include "version.h"

static const char datasets[] =
    "SELECT dataset AS name, json_group_array(json_object('n', n, 'seed', seed, 'sha256',"
    " dataset_sha256)) AS sizes FROM (SELECT DISTINCT dataset, n, seed, dataset_sha256 FROM cell"
    " WHERE dataset_sha256 NOT NULL ORDER BY 1, 2, 3) GROUP BY name";
static const char builds[] =
    "SELECT DISTINCT compiler || ', ' || flags AS compiler FROM run WHERE flags NOT NULL";

static int add_rows(json_t *about, const char *member, const struct orr_export *export,
                    const char *sql, const char *json)
{
    const struct orr_ledger *ledger = &export->selection->ledger;
    sqlite3_stmt *statement;
    json_t *rows = json_array();
    int code = strstr(sql, "?1") ? orr_ledger_query(&statement, ledger, sql, "s", export->results)
                                 : orr_ledger_query(&statement, ledger, sql, "");
    if (!code)
        code = orr_cli_query_rows(rows, ledger, statement, json);
    return json_object_set_new(about, member, rows) && !code
               ? orr_fail(ORR_EMEMORY, "no memory for the artifact")
               : code;
}

/* --- papers --- */

static json_t *papers(const struct orr_selection *selection)
{
    json_t *list = json_array();
    for (size_t k = 0; k < selection->paper_count; k++) {
        const struct orr_paper *paper = selection->papers[k];
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:s, s:o}", "key", paper->key, "title",
                                        paper->title, "authors", paper->authors, "venue",
                                        paper->venue, "year", orr_paper_year(paper)));
    }
    return list;
}

static json_t *title(const struct orr_selection *selection)
{
    return selection->paper_count == 1
               ? json_sprintf("%s, measured again", selection->papers[0]->title)
               : json_sprintf("Published GPU N-body results, measured again: %zu papers",
                              selection->paper_count);
}

static json_t *words(const struct orr_words *list)
{
    json_t *array = json_array();
    for (int k = 0; k < list->count; k++)
        json_array_append_new(array, json_string(list->items[k]));
    return array;
}

/* --- claims --- */

/* A claim stands once, above its verdicts. */
static int add_claims(json_t *about, const json_t *verdicts)
{
    static const char *const told[] = {"paper", "id", "section", "text", "published"};
    static const char *const of_verdict[] = {"machine", "device", "reading", "verdict", "measured"};
    json_t *claims = json_array(), *claim = NULL, *row;
    size_t v;
    json_object_set_new(about, "claims", claims);
    json_array_foreach(verdicts, v, row)
    {
        if (!claim || strcmp(orr_json_text(claim, "id"), orr_json_text(row, "id")) ||
            strcmp(orr_json_text(claim, "paper"), orr_json_text(row, "paper"))) {
            claim = json_object();
            for (size_t k = 0; k < sizeof told / sizeof *told; k++)
                json_object_set(claim, told[k], json_object_get(row, told[k]));
            json_object_set_new(claim, "expected", json_array());
            json_array_append_new(claims, claim);
        }
        json_t *verdict = json_object();
        for (size_t k = 0; k < sizeof of_verdict / sizeof *of_verdict; k++)
            json_object_set(verdict, of_verdict[k], json_object_get(row, of_verdict[k]));
        json_object_set(verdict, "score", json_object_get(json_object_get(row, "score"), "text"));
        if (json_array_append_new(json_object_get(claim, "expected"), verdict))
            return orr_fail(ORR_EMEMORY, "no memory for the claims");
    }
    return 0;
}

/* --- all of it --- */

static double bytes_of(const json_t *about, const char *results)
{
    size_t m, k;
    json_t *machine, *journal;
    double sum = 0;
    json_array_foreach(json_object_get(about, "machines"), m, machine)
    {
        json_array_foreach(json_object_get(machine, "journals"), k, journal)
        {
            char path[2048];
            struct stat status;
            snprintf(path, sizeof path, "%s/%s", results,
                     orr_json_text(journal, "journal") + strlen("results/"));
            sum += stat(path, &status) ? 0 : (double)status.st_size;
        }
    }
    return sum;
}

int orr_export_about(json_t **out, const struct orr_export *export)
{
    char made[16];
    time_t now = time(NULL);
    struct tm utc;
    strftime(made, sizeof made, "%Y-%m-%d", gmtime_r(&now, &utc));
    json_t *about = *out = json_pack(
        "{s:s, s:o, s:s, s:s, s:s, s:o, s:{s:s, s:s}, s:o}", "schema", ORR_ARTIFACT_SCHEMA, "title",
        title(export->selection), "summary",
        "Journals of Orrery, which runs the papers' algorithms on the papers' inputs and verifies "
        "what they compute against double precision, with a verdict on each claim.",
        "made", made, "licence", export->licence, "authors", words(export->authors), "orrery",
        "version", ORR_VERSION, "commit", ORR_GIT_COMMIT, "papers", papers(export->selection));
    if (!about)
        return orr_fail(ORR_EMEMORY, "no memory for the artifact");
    int code = add_rows(about, "machines", export, sql_cli_export_machines,
                        "environment devices journals");
    if (!code)
        code = add_rows(about, "datasets", export, datasets, "sizes");
    if (!code)
        code = add_rows(about, "builds", export, builds, "");
    json_object_set_new(about, "bytes", json_real(bytes_of(about, export->results)));
    return code ? code : add_claims(about, export->verdicts);
}
