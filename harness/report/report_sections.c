/* The report's sections around the experiments, and documents of the ledger alone. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "paths.h"
#include "report/report_parts.h"
#include "present/queries.h"
#include "present/write.h"
#include "sql/report/ceilings.h"
#include "sql/report/cell.h"

/* "machine|power limit>now|power limit>default": what stands before > is one head over both. */
static void put_heads(FILE *to, const char *heads)
{
    enum { MOST = 24 };
    struct orr_html_head of[MOST];
    char *text = strdup(heads), *rest = text;
    size_t count = 0;
    for (char *head; rest && count < MOST && (head = strsep(&rest, "|"));) {
        char *below = strchr(head, '>');
        if (below)
            *below++ = '\0';
        of[count++] = (struct orr_html_head){below ? head : NULL, below ? below : head, false};
    }
    fputs("<div class=\"wide\"><table>", to);
    orr_html_heads(to, of, count);
    fputs("<tbody>\n", to);
    free(text);
}

/* A path below the current folder or the program's own, without what stands before. */
static const char *relative(const char *text)
{
    char folder[PATH_MAX];
    size_t length;
    if (*text != '/')
        return text;
    if (getcwd(folder, sizeof folder) && (length = strlen(folder)) > 1 &&
        !strncmp(text, folder, length) && text[length] == '/')
        return text + length + 1;
    if (!orr_paths_home(folder, sizeof folder, "results") && (length = strlen(folder)) > 7 &&
        !strncmp(text, folder, length))
        return text + length - 7;
    orr_error_clear();
    return text;
}

/* A query as an HTML table, its heads between bars; `none` stands there when it has no rows (NULL:
 * nothing does). */
static int put_query(FILE *to, const struct orr_ledger *ledger, const char *heads, const char *sql,
                     const char *none)
{
    enum { LONG_TEXT = 48 };
    sqlite3_stmt *row;
    int rows = 0, code = orr_ledger_query(&row, ledger, sql, "");
    while (orr_ledger_row(&code, row, ledger)) {
        if (!rows++)
            put_heads(to, heads);
        fputs("<tr>", to);
        for (int k = 0; k < sqlite3_column_count(row); k++) {
            const char *text = orr_ledger_text(row, k);
            orr_html_print(to,
                           strlen(text) > LONG_TEXT ? "<td class=\"long\">%s</td>" : "<td>%s</td>",
                           *text ? relative(text) : "—");
        }
        fputs("</tr>\n", to);
    }
    if (rows)
        fputs("</tbody></table></div>\n", to);
    else if (none)
        fprintf(to, "<p>%s</p>\n", none);
    return code;
}

static const char method[] =
    "<p>Accelerations of every cell are checked against double precision before it is timed; one "
    "whose error exceeds its bound is <b>wrong</b> and has no time. A time is the median over "
    "processes of their medians, with its 95&nbsp;% interval; with fewer than three processes it "
    "is \"within one run\" (†). A step begins with its bodies on the device and ends with its "
    "results there; end to end also sends the bodies and fetches the results. GFLOPS follow the "
    "paper's convention; the ceiling is the rate of the cell's own kind of pair held in registers, "
    "and a share above 100&nbsp;% says that it is too low. ≈ marks what was extrapolated, — what "
    "is not there. <code>docs/METHOD.md</code> has all rules.</p>\n";

/* Tables of the ledger: what stands before each, its heads, and what stands there when it has no
 * rows (NULL: nothing). A set that times depend on is of journals that tell it. `twice`: of each
 * set of devices the last result of `orrery compare --self`, or how to get one. */
static const struct table {
    const char *before, *heads, *sql, *none, *after;
} tables[] = {
    {"<h2 id=\"machines\">Machines and devices</h2>\n",
     "machine|processor|cores|threads|memory|system|vector instructions|runs",
     "SELECT machine, max(cpu), max(cores), max(threads), printf('%.0f GiB',"
     " max(memory_bytes) / 1073741824.0), max(os), max(simd), count(*) FROM run"
     " JOIN " ORR_REPORT_TURNS " USING (machine) GROUP BY machine ORDER BY turn",
     "No journal was found: nothing has been measured yet. <code>orrery run fujiwara</code>"
     " starts.",
     ""},
    {"",
     "machine|device|name|driver|toolkit|capability|units|MHz|"
     "highest ceiling>interactions/s|highest ceiling>fma/s",
     "SELECT run.machine, d.device, d.device_name, d.driver, d.toolkit, d.capability,"
     " d.compute_units, nullif(d.clock_mhz, 0), printf('%.3g',"
     " max(c.interactions_per_second)), printf('%.3g', max(c.fma_per_second))"
     " FROM device d JOIN run USING (run_key) JOIN ceiling c USING (run_key, device)"
     " JOIN " ORR_REPORT_TURNS " t ON t.machine = run.machine"
     " GROUP BY run.machine, d.device ORDER BY turn, d.device",
     NULL, ""},
    {"<h3>How far the numbers can be trusted</h3>\n",
     "machine|cells>all|cells>without a failure|bodies checked>all|bodies checked>a sample|"
     "times>from 3 processes or more|times>interval within 2 %|times>others were at work|"
     "times>throttled|times>extrapolated",
     "SELECT machine, count(*), sum(outcome = 'ok'), sum(outcome = 'ok' AND coalesce("
     "error_targets >= n, 0)), sum(outcome = 'ok' AND coalesce(error_targets < n, 0)),"
     " sum(coalesce(processes >= 3, 0)), sum(coalesce(seconds_high <= 1.02 * seconds_low, 0)),"
     " sum(coalesce(others_cores > 0.5, 0)), sum(coalesce(throttle_reasons NOT IN ('', '[]'),"
     " 0)), sum(extrapolated) FROM latest JOIN " ORR_REPORT_TURNS
     " USING (machine) GROUP BY machine ORDER BY turn",
     NULL, ""},
    {"", "machine|measured twice",
     "WITH kept AS (SELECT machine, s.*, row_number() OVER (PARTITION BY machine, devices"
     " ORDER BY finished DESC, self_key DESC) AS age FROM self s JOIN run USING (run_key))"
     " SELECT machine, coalesce((SELECT group_concat(printf('%s: %d of %d comparisons called"
     " different%s, median difference %.1f %%, largest %.1f %%', (SELECT group_concat(value, ', ')"
     " FROM json_each(k.devices)), different, comparisons,"
     " iif(beside, printf(' (%d with co-runners)', beside), ''), 100 * median_difference,"
     " 100 * largest_difference), '; ') FROM kept k WHERE k.machine = r.machine AND age = 1),"
     " 'not done; orrery compare --self ' || (SELECT group_concat(paper, ' ') FROM (SELECT DISTINCT"
     " paper FROM cells c WHERE c.machine = r.machine ORDER BY 1)) || ' does it') FROM run r"
     " JOIN " ORR_REPORT_TURNS " USING (machine) GROUP BY machine ORDER BY turn",
     NULL, ""},
    {"<details><summary>Settings that times depend on</summary>\n",
     "machine|governor|boost|SMT|huge pages|NUMA nodes|CPUs>allowed|CPUs>of|CPUs>quota|virtual|"
     "variables",
     "SELECT DISTINCT machine, h->>'governor', iif(h->>'boost', 'on', iif(h->>'boost' = 0,"
     " 'off', NULL)), h->>'smt', h->>'huge_pages', h->>'numa_nodes', h->>'cpus_allowed',"
     " h->>'cpus_online', h->>'cpu_quota', iif(h->>'virtual', coalesce(h->>'virtual_product',"
     " 'yes'), 'no'), (SELECT group_concat(key || '=' || value, ' ')"
     " FROM json_each(run.environment, '$.variables'))"
     " FROM (SELECT *, environment->'host' AS h FROM run) run JOIN " ORR_REPORT_TURNS
     " USING (machine) WHERE h NOT NULL ORDER BY turn",
     NULL, ""},
    {"",
     "machine|GPU|power limit>set|power limit>default|power "
     "limit>enforced|ECC|MIG|persistence|application clocks|compute "
     "mode",
     "SELECT DISTINCT machine, g->>'name', printf('%g W', g->>'power_limit_w'),"
     " printf('%g W', g->>'default_power_limit_w'), printf('%g W', "
     "g->>'enforced_power_limit_w'),"
     " iif(g->>'ecc', 'on', iif(g->>'ecc' = 0, 'off', NULL)),"
     " iif(g->>'mig', 'on', iif(g->>'mig' = 0, 'off', NULL)),"
     " iif(g->>'persistence', 'on', iif(g->>'persistence' = 0, 'off', NULL)),"
     " g->>'application_sm_mhz' || ' / ' || (g->>'application_memory_mhz') || ' MHz',"
     " g->>'compute_mode'"
     " FROM (SELECT machine, j.value AS g FROM run, json_each(run.environment, '$.gpus') j)"
     " JOIN " ORR_REPORT_TURNS " USING (machine) ORDER BY turn, 2",
     NULL, "</details>\n"},
    {"<h2 id=\"failures\">What failed</h2>\n",
     "machine|experiment|variant|data set|N|device|cells|outcome|reason",
     "SELECT machine, experiment, variant, dataset, group_concat(DISTINCT n), device, count(*), "
     "outcome, reason FROM (SELECT * FROM latest JOIN " ORR_REPORT_TURNS
     " USING (machine) WHERE outcome <> 'ok' ORDER BY n) "
     "GROUP BY turn, machine, experiment, variant, dataset, device, outcome, reason "
     "ORDER BY turn, experiment, variant, min(n)",
     "Nothing: the latest record of every cell is ok.", ""},
    {"<h2 id=\"provenance\">Provenance</h2>\n"
     "<details><summary>Journals</summary>\n",
     "machine|run|preset|started|orrery|commit|compiler|flags|checksums|journal",
     "SELECT machine, run, coalesce(preset, 'quick'), started, version, commit_id, compiler, "
     "flags, iif(schema >= 2, 'in each line', 'none'), path FROM run"
     " ORDER BY started",
     "None.", "</details>\n"},
    {"<details><summary>Variants</summary>\n", "variant|compiler and flags|plugin SHA-256",
     "SELECT DISTINCT variant, build_flags, substr(plugin_sha256, 1, 16) || '…' FROM latest "
     "WHERE plugin_sha256 IS"
     " NOT NULL ORDER BY 1",
     "None.", "</details>\n"},
    {"<details><summary>Data sets</summary>\n", "data set|N|seed|SHA-256",
     "SELECT DISTINCT dataset, n, seed, substr(dataset_sha256, 1, 16) || '…' FROM latest WHERE "
     "dataset_sha256 IS "
     "NOT"
     " NULL ORDER BY 1, 2",
     "None.", "</details>\n"},
};
enum { FIRST_PAGE = 4, TABLES = sizeof tables / sizeof *tables };

static int put_tables(FILE *to, const struct orr_ledger *ledger, size_t first, size_t end)
{
    int code = 0;
    for (const struct table *t = tables + first; t < tables + end && !code; t++) {
        fputs(t->before, to);
        code = put_query(to, ledger, t->heads, t->sql, t->none);
        fputs(t->after, to);
    }
    return code;
}

/* What accesses cost, where that was measured. */
static int put_ceilings(FILE *to, const struct orr_selection *selection)
{
    struct orr_document document;
    int known = orr_ledger_numbers(NULL, 0, &selection->ledger, "SELECT 1 FROM access_rate", "");
    if (known <= 0)
        return known;
    int code = orr_report_ceilings(&document, &selection->ledger, selection->machine);
    if (!code) {
        fputs("<details><summary>What each access costs</summary>\n", to);
        orr_html_document(to, &document, false);
        fputs("</details>\n", to);
    }
    orr_document_release(&document);
    return code;
}

int orr_report_trust(FILE *to, const struct orr_selection *selection)
{
    int code = put_tables(to, &selection->ledger, 0, FIRST_PAGE);
    fputs("<h3>How it was measured</h3>\n", to);
    fputs(method, to);
    return code;
}

/* 1, 0 or a negative code. */
static int has_results(const struct orr_selection *selection, const char *name)
{
    return orr_ledger_numbers(
        NULL, 0, &selection->ledger,
        "SELECT 1 FROM cells WHERE experiment = ? AND coalesce(machine = ?, 1)", "ss", name,
        selection->machine);
}

/* Runs that did not come to their end, and left cells with fewer rounds than they were to have. */
static int put_unfinished(FILE *to, const struct orr_ledger *ledger)
{
    enum { RUN, MACHINE, ENDED, ROUNDS, LACKING, CELLS };
    sqlite3_stmt *row;
    int code = orr_ledger_query(
        &row, ledger,
        "SELECT r.run, r.machine, r.ended, r.request->>'repeats' AS rounds,"
        " sum(l.processes < r.request->>'repeats'), count(*) FROM latest l JOIN run r USING "
        "(run_key) WHERE r.ended IS NOT 'over' AND l.outcome = 'ok' AND NOT l.extrapolated"
        " GROUP BY run_key HAVING sum(l.processes < rounds) > 0 ORDER BY 2, 1",
        "");
    while (orr_ledger_row(&code, row, ledger))
        orr_html_print(to,
                       "<li>%s on %s %s: %d of its %d cells shown here have fewer than %d rounds; "
                       "%s<code>orrery run --resume %s</code> measures the rest</li>\n",
                       orr_ledger_text(row, RUN), orr_ledger_text(row, MACHINE),
                       *orr_ledger_text(row, ENDED) ? "was interrupted" : "has no end yet",
                       sqlite3_column_int(row, LACKING), sqlite3_column_int(row, CELLS),
                       sqlite3_column_int(row, ROUNDS),
                       *orr_ledger_text(row, ENDED) ? "" : "where its process died, ",
                       orr_ledger_text(row, RUN));
    return code;
}

static int put_missing(FILE *to, const struct orr_selection *selection)
{
    int missing = 0, code = 0;
    fputs("<h2 id=\"missing\">What is missing</h2>\n<ul>\n", to);
    for (size_t k = 0; k < selection->target_count && code >= 0; k++) {
        const struct orr_target *target = &selection->targets[k];
        struct orr_scope any;
        orr_scope_set(&any, &selection->ledger, target->paper, target->experiment, "");
        code = has_results(selection, any.cells);
        if (code)
            continue;
        missing++;
        orr_html_print(
            to, "<li>%s, %s: not measured; <code>orrery run %s</code> measures it</li>\n", any.name,
            target->experiment->title ? target->experiment->title : "", any.name);
    }
    if (code >= 0)
        code = put_unfinished(to, &selection->ledger);
    if (!missing)
        fputs("<li>Every experiment has results; cells that are missing are named below their "
              "table.</li>\n",
              to);
    fputs("</ul>\n", to);
    return code < 0 ? code : 0;
}

int orr_report_sources(FILE *to, const struct orr_selection *selection)
{
    int code = put_missing(to, selection);
    if (!code)
        code = put_tables(to, &selection->ledger, FIRST_PAGE, TABLES);
    return code ? code : put_ceilings(to, selection); /* its tables take the place of claims' */
}

/* --- documents of the ledger alone, without an experiment --- */

/* Adds the tables of the layout in `text`, the file `file` of queries alone, which asks for no
 * experiment (present/queries.h). Drops the temporary tables that it was made with. */
static int add_tables(struct orr_document *out, const struct orr_ledger *ledger, const char *file,
                      const char *text, const char *layout)
{
    struct orr_queries queries = {0};
    int code = orr_queries_add(&queries, file, text);
    const struct orr_section *first = orr_queries_find(&queries, ORR_SECTION_LAYOUT, layout);
    if (!code)
        code = orr_column_format_offer(ledger);
    if (!code)
        code = orr_scope_set_up(&queries, first, ledger);
    if (!code)
        code = orr_query_table(out, &queries, first, ledger);
    orr_queries_release(&queries);
    int dropped = orr_scope_drop(ledger);
    return code ? code : dropped;
}

/* --- what accesses cost --- */

int orr_report_ceilings(struct orr_document *out, const struct orr_ledger *ledger,
                        const char *machine)
{
    *out = (struct orr_document){0};
    orr_document_name(out, "ceilings", "What each access costs");
    int code = orr_scope_drop(ledger);
    if (!code)
        code =
            orr_ledger_run(ledger, "CREATE TEMP TABLE asked AS SELECT ? AS machine", "s", machine);
    if (!code)
        code = add_tables(out, ledger, "report/ceilings.sql", sql_report_ceilings, "ceilings");
    if (!code && !orr_document_data(out)->row_count)
        code = orr_fail(ORR_EUSAGE, "nothing here says what accesses cost; `orrery run ceilings` "
                                    "measures it, -r names other journals");
    return code;
}

/* --- one cell --- */

enum { LEAST_DIGITS = 6, ID_DIGITS = 16 };

bool orr_report_takes_cell(const char *id)
{
    size_t length = strlen(id);
    return length >= LEAST_DIGITS && length <= ID_DIGITS &&
           strspn(id, "0123456789abcdef") == length;
}

/* "ID (what, where), ..." of the cells that begin so, as many as there is room for; returns how
 * many there are. */
static int find_cells(char *out, size_t size, const struct orr_ledger *ledger, const char *id,
                      const char *machine)
{
    sqlite3_stmt *row;
    int count = 0,
        code = orr_ledger_query(&row, ledger,
                                "SELECT id, experiment, variant, dataset, n, device FROM cells "
                                "WHERE substr(id, 1, length(?1)) = ?1 AND coalesce(machine = ?2, 1)"
                                " GROUP BY id ORDER BY id",
                                "ss", id, machine);
    *out = '\0';
    for (; orr_ledger_row(&code, row, ledger); count++) {
        size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%s (%s %s, %s N = %s on %s)", used ? "; " : "",
                 orr_ledger_text(row, 0), orr_ledger_text(row, 1), orr_ledger_text(row, 2),
                 orr_ledger_text(row, 3), orr_ledger_text(row, 4), orr_ledger_text(row, 5));
    }
    return code ? code : count;
}

/* The record that tables show (newest.sql) stands before others; a measured one before an estimate,
 * a later one before an earlier. */
static int ask_for(const struct orr_ledger *ledger, const char *id, const char *machine)
{
    return orr_ledger_run(
        ledger,
        "CREATE TEMP TABLE asked AS SELECT cell_key FROM cells WHERE substr(id, 1, length(?1)) = ?1"
        " AND coalesce(machine = ?2, 1) ORDER BY cell_key NOT IN (SELECT cell_key FROM newest),"
        " extrapolated, coalesce(started, run_started) DESC, cell_key DESC LIMIT 1",
        "ss", id, machine);
}

int orr_report_cell(struct orr_document *out, const struct orr_ledger *ledger, const char *id,
                    const char *machine)
{
    char candidates[600], title[64];
    *out = (struct orr_document){0};
    int count = find_cells(candidates, sizeof candidates, ledger, id, machine);
    if (count < 0)
        return count;
    if (!count)
        return orr_fail(ORR_EUSAGE,
                        "no cell here begins with '%s'; -r names other journals, --reference takes "
                        "those that come with Orrery",
                        id);
    if (count > 1)
        return orr_fail(ORR_EUSAGE, "%d cells begin with '%s': %s", count, id, candidates);
    snprintf(title, sizeof title, "Cell %.*s", (int)strcspn(candidates, " "), candidates);
    orr_document_name(out, title + strlen("Cell "), title);
    int code = orr_scope_drop(ledger);
    if (!code)
        code = ask_for(ledger, id, machine);
    if (!code)
        code = add_tables(out, ledger, "report/cell.sql", sql_report_cell, "cell");
    return code;
}
