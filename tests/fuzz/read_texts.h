/* SPDX-License-Identifier: MIT */
/* Readers of texts: papers, values, formulas, messages between processes, SQL of papers. */
#ifndef ORR_FUZZ_READ_TEXTS_H
#define ORR_FUZZ_READ_TEXTS_H

#include "read_data.h"

#include <sys/socket.h>

#include "audit/audit.h"
#include "claims/claims.h"
#include "names.h"
#include "plan/plan_parts.h"
#include "plugin/params.h"
#include "present/layout.h"
#include "worker/child.h"
#include "referee/cell_run.h"

/* A paper of experiments that have a layout of their own. */
static const char own_paper[] =
    "paper: own\ntitle: T\nauthors: A\nvenue: V\nyear: 2026\nflops_per_interaction: 38\n"
    "variants:\n  - {name: a, label: A, in: [e]}\n  - {name: b, label: B, in: [e]}\n"
    "experiments:\n  - name: e\n    shows: Table 1\n    title: E\n    layout: own\n    axes:\n"
    "      - {name: dataset, values: random-3d}\n      - {name: n, values: \"100,200\"}\n"
    "    bound: {median: 1.0e-5, p99: 1.0e-4, max: 1.0e-3}\n";

static inline const struct orr_paper *load_own_paper(void)
{
    static struct orr_paper *paper;
    if (paper)
        return paper;
    write_file(paper_folder("own"), "paper.yaml", own_paper, strlen(own_paper));
    promise(!orr_paper_load(&paper, "own"));
    return paper;
}

static inline void read_paper(const uint8_t *bytes, size_t size)
{
    struct orr_paper *paper;
    write_file(paper_folder("fuzzed"), "paper.yaml", bytes, size);
    if (orr_paper_load(&paper, "fuzzed")) {
        promise(!paper);
        return;
    }
    promise(paper->experiments_count && paper->variants_count);
    promise(!orr_ledger_add_paper(fresh_ledger(), paper));
    orr_paper_free(paper);
}

struct numbers {
    int32_t count, choice;
    double real;
};
static const struct orr_param number_table[] = {
    {"count", ORR_PARAM_INT, offsetof(struct numbers, count), 1, 1, 64, NULL, "a"},
    {"real", ORR_PARAM_FLOAT, offsetof(struct numbers, real), 0.5, 0, 1e6, NULL, "b"},
    {"choice", ORR_PARAM_CHOICE, offsetof(struct numbers, choice), 0, 0, 0, "cas|native|off", "c"}};
static const struct orr_variant with_numbers = {.name = "own/a",
                                                .params = number_table,
                                                .param_count = 3,
                                                .params_size = sizeof(struct numbers)};

/* Every value that is taken reads back from its normal spelling as the same. */
static inline void set_numbers(const char *value)
{
    for (size_t k = 0; k < with_numbers.param_count; k++) {
        struct numbers numbers, again;
        struct orr_setting given, spelt;
        char twice[128];
        const char *name = number_table[k].name;
        snprintf(given.name, sizeof given.name, "%s", name);
        snprintf(given.value, sizeof given.value, "%s", value);
        spelt = given;
        orr_error_clear();
        if (orr_params_fill(&with_numbers, NULL, &given, 1, &numbers))
            continue;
        promise(
            !orr_params_normal(&with_numbers, name, given.value, spelt.value, sizeof spelt.value));
        promise(!orr_params_normal(&with_numbers, name, spelt.value, twice, sizeof twice));
        promise(!strcmp(spelt.value, twice));
        promise(!orr_params_fill(&with_numbers, NULL, &spelt, 1, &again));
        promise(numbers.count == again.count && numbers.choice == again.choice &&
                numbers.real == again.real);
    }
}

/* Values of an axis or of --set. */
static inline void read_values(const uint8_t *bytes, size_t size)
{
    char *text = as_text(bytes, size), **values;
    for (int integers = 0; integers < 2; integers++)
        if (!orr_axis_values(&values, text, integers)) {
            promise(values[0]);
            for (size_t k = 0; k < 8 && values[k]; k++)
                set_numbers(values[k]);
            orr_names_free(values);
        }
    orr_error_clear();
    set_numbers(text);
    orr_error_clear();
    const struct orr_request request = {.set = {&text, 1}};
    const struct orr_experiment nothing = {.name = NULL};
    const struct orr_pick pick = {.experiment = &nothing};
    struct orr_planner planner = {.request = &request};
    if (!orr_axis_read_sets(&planner)) {
        promise(planner.rows > 0);
        for (size_t row = 0; row < planner.rows; row++) {
            RELEASED_BY(orr_axis_list_release) struct orr_axis_list axes = {0};
            orr_axis_merge(&axes, &planner, &pick, row);
        }
    }
    orr_names_free(planner.sets->axes.items);
    orr_names_free(planner.sets->values.items);
    free(planner.sets);
    orr_error_clear();
    free(text);
}

/* --- messages --- */

static inline void take_message(json_t *message)
{
    struct orr_cell cell;
    struct orr_setting settings[ORR_MAX_SETTINGS];
    int count;
    if (!orr_cell_from_json(&cell, json_object_get(message, "cell"))) {
        json_auto_t *back = orr_cell_to_json(&cell);
        promise(back && !orr_cell_from_json(&cell, back));
        orr_cell_identify(&cell);
        orr_cell_pairs(&cell);
    }
    orr_error_clear();
    orr_params_settings_from_json(settings, &count, json_object_get(message, "settings"));
    promise(count >= 0 && count <= ORR_MAX_SETTINGS);
    orr_error_clear();
}

/* What the other side of a channel may send, in two pieces and then no more. */
static inline void read_messages(const uint8_t *bytes, size_t size)
{
    int pair[2];
    struct orr_channel channel;
    json_t *message;
    enum orr_heard heard;
    size_t half = size > 1 ? size * bytes[0] / 256 : 0;
    if (size > 100000) /* more than a socket holds */
        return;
    promise(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    orr_child_channel_init(&channel, pair[0]);
    promise(send(pair[1], bytes, half, 0) == (ssize_t)half);
    while ((heard = orr_child_channel_receive(&channel, 0, -1, &message)) != ORR_HEARD_TIMEOUT) {
        promise(!message == (heard != ORR_HEARD_MESSAGE));
        json_decref(message);
    }
    promise(send(pair[1], bytes + half, size - half, 0) == (ssize_t)(size - half));
    close(pair[1]);
    while ((heard = orr_child_channel_receive(&channel, 1e300, -1, &message)) != ORR_HEARD_END) {
        promise(heard == ORR_HEARD_MESSAGE ? json_is_object(message)
                                           : heard == ORR_HEARD_NOISE && !message);
        take_message(message);
        json_decref(message);
    }
    promise(!orr_error_code());
    orr_child_channel_close(&channel);
}

/* --- SQL of papers --- */

static inline int enough(void *context)
{
    int *left = context;
    return --*left < 0;
}

/* Of endless SQL under a guard. */
static const double GUARDED_S = 0.2;

/* A ledger with some cells and the paper, which no SQL of a paper may change. */
static inline struct orr_ledger *own_ledger(void)
{
    static struct orr_ledger ledger;
    static const char journal[] =
        "{\"record\":\"run\",\"run\":\"r\",\"started\":\"2026-01-01T00:00:00Z\","
        "\"machine\":{\"name\":\"m\"}}\n"
        "{\"record\":\"cell\",\"id\":\"1\",\"experiment\":\"own/e\",\"variant\":\"own/a\","
        "\"device\":\"host\",\"dataset\":{\"name\":\"random-3d\",\"n\":100,\"seed\":1},"
        "\"parameters\":{},\"outcome\":\"ok\",\"started\":\"2026-01-01T00:00:01Z\","
        "\"seconds\":0.5,\"interval\":[0.4,0.6],\"interactions_per_second\":100,"
        "\"samples\":{\"step_s\":[0.4,0.5,0.6]},\"bodies_file\":\"points.csv\"}\n"
        "{\"record\":\"cell\",\"id\":\"2\",\"experiment\":\"own/e\",\"variant\":\"own/b\","
        "\"device\":\"host\",\"dataset\":{\"name\":\"random-3d\",\"n\":100,\"seed\":1},"
        "\"parameters\":{},\"outcome\":\"wrong\",\"reason\":\"<b>\"}\n";
    if (!ledger.db) {
        const struct orr_paper *paper = load_own_paper();
        write_file(home, "r.jsonl", journal, strlen(journal));
        promise(!orr_ledger_open(&ledger) && !orr_ledger_add_paper(&ledger, paper));
        promise(!orr_ledger_add(&ledger, path_in(home, "r.jsonl")) && ledger.cells == 2);
        orr_ledger_limit(&ledger, GUARDED_S, NULL);
    }
    return &ledger;
}

/* Endless SQL is ended: that is what `query` has a limit for. A guard has a limit of its own. */
static inline void begin_sql(const struct orr_ledger *ledger)
{
    static int left;
    left = 200;
    sqlite3_progress_handler(ledger->db, 1000, enough, &left);
}

static inline void end_sql(const struct orr_ledger *ledger)
{
    sqlite3_progress_handler(ledger->db, 0, NULL, NULL);
    orr_error_clear();
    promise(ask_number(ledger, "SELECT count(*) + sum(seconds) FROM cell") == 2.5);
    promise(ask_number(ledger, "SELECT count(*) FROM paper") == 1);
    promise(ask_number(ledger, "SELECT count(*) FROM sample WHERE value > 0.3") == 3);
}

static inline void read_claims(const uint8_t *bytes, size_t size)
{
    struct orr_ledger *ledger = own_ledger();
    sqlite3_stmt *row = NULL;
    write_file(paper_folder("own"), "claims.sql", bytes, size);
    begin_sql(ledger);
    int code = orr_claims_judge(ledger, load_own_paper());
    end_sql(ledger);
    if (code > 0 && !orr_claims_query(&row, ledger, "m"))
        while (orr_ledger_next(row, ledger) > 0)
            promise(*orr_ledger_text(row, 0) && *orr_ledger_text(row, 6));
    sqlite3_finalize(row);
    promise(ask_number(ledger, "SELECT count(*) FROM sqlite_temp_master WHERE type = 'view'") == 0);
    sqlite3_exec(ledger->db, "DELETE FROM temp.judgement", NULL, NULL, NULL);
}

/* What is printed reads as the same formula. */
static inline void read_polynomial(const uint8_t *bytes, size_t size)
{
    RELEASED_BY(free_text) char *text = as_text(bytes, size);
    struct orr_ledger *ledger = own_ledger();
    double faulty = 1, same = 1;
    promise(!orr_algebra_offer(ledger));
    promise(orr_ledger_numbers(&faulty, 1, ledger, "SELECT formula_fault(?) NOT NULL", "s", text) ==
            1);
    if (!faulty)
        promise(orr_ledger_numbers(&same, 1, ledger, "SELECT formula(formula(?1)) = formula(?1)",
                                   "s", text) == 1);
    promise(same == 1);
}

/* A paper's formulas.csv, and what follows from it. */
static inline void read_formulas(const uint8_t *bytes, size_t size)
{
    struct orr_ledger *ledger = own_ledger();
    const struct orr_paper *paper = load_own_paper();
    write_file(paper_folder("own"), "formulas.csv", bytes, size);
    int code = orr_audit_fill(ledger, paper);
    promise(!code || orr_error_code());
    unlink(path_in(paper_folder("own"), "formulas.csv"));
}

/* gnuplot is given assignments, a line each, and the program's own declarations of arrays. */
static inline void check_variables(struct orr_plot *plot)
{
    char path[PATH_MAX], line[8192];
    if (!plot->variables)
        return;
    fflush(plot->variables);
    snprintf(path, sizeof path, "%s/variables.gp", plot->folder);
    FILE *file = fopen(path, "r");
    promise(file);
    while (fgets(line, sizeof line, file)) {
        size_t word = strspn(line, "abcdefghijklmnopqrstuvwxyz_0123456789"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        promise(!strpbrk(line, "`@"));
        if (!strncmp(line, "array ", 6)) {
            promise(strstr(line, "_of[series]; do for [k = 1:series] { "));
            continue;
        }
        if (line[word] == '[')
            word += strspn(line + word, "[0123456789]");
        promise(word && !strncmp(line + word, " = ", 3));
    }
    fclose(file);
}

static inline void show_own(struct orr_ledger *ledger, bool figure)
{
    struct orr_document document = {0};
    struct orr_plot plot = {0};
    const struct orr_paper *paper = load_own_paper();
    struct orr_scope scope = {
        .ledger = ledger, .paper = paper, .experiment = &paper->experiments[0], .machine = "m"};
    snprintf(scope.name, sizeof scope.name, "%s/%s", paper->key, scope.experiment->name);
    promise(!orr_column_format_offer(ledger));
    begin_sql(ledger);
    if (figure) {
        orr_layout_show(NULL, &plot, &scope);
        check_variables(&plot);
        orr_plot_release(&plot);
    } else {
        orr_layout_show(&document, NULL, &scope);
        orr_document_release(&document);
    }
    end_sql(ledger);
    promise(ask_number(ledger, "SELECT count(*) FROM sqlite_temp_master") == 0);
}

/* A paper's tables.sql: its tables and its figure. */
static inline void read_tables(const uint8_t *bytes, size_t size)
{
    struct orr_ledger *ledger = own_ledger();
    write_file(paper_folder("own"), "tables.sql", bytes, size);
    write_file(home, "points.csv", "x,y\n1,2\n", 8);
    show_own(ledger, false);
    if (memmem(bytes, size, "figure", strlen("figure")))
        show_own(ledger, true);
}

/* Data of a picture, which lie beside a journal. */
static inline void read_points(const uint8_t *bytes, size_t size)
{
    static const char sql[] = "--: layout own\n--: figure curves\n--: series\nSELECT 1 AS series,"
                              " 'l' AS label, 1 AS style, file_beside(path, bodies_file) AS file,"
                              " 'x' AS x, 'y' AS y FROM cells WHERE bodies_file IS NOT NULL;\n";
    struct orr_ledger *ledger = own_ledger();
    write_file(paper_folder("own"), "tables.sql", sql, strlen(sql));
    write_file(home, "points.csv", bytes, size);
    show_own(ledger, true);
}

#endif
