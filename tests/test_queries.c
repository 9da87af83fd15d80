/* SPDX-License-Identifier: MIT */
/* Sections of SQL as tables: what they make, and that a mistake is told with file, line and the
 * nearest name. */
#include "present/document.h"
#include "present/queries.h"
#include "tests/cases.h"

static struct orr_ledger ledger;

/* The tables that a layout would have of its scope. */
static int begin(void **state)
{
    static const char sql[] = "CREATE TEMP TABLE scope(unit TEXT, flops REAL, boxed INTEGER);"
                              "INSERT INTO scope VALUES ('ms', 38.0, 0);"
                              "CREATE TEMP TABLE body(name TEXT, mass REAL, seconds REAL);"
                              "INSERT INTO body VALUES ('sun', 1.0, 0.25), ('moon', 0.125, NULL)";
    return orr_ledger_open(&ledger) || orr_column_format_offer(&ledger) ||
           sqlite3_exec(ledger.db, sql, NULL, NULL, NULL);
}

static int end(void **state)
{
    orr_ledger_close(&ledger);
    return 0;
}

/* What the layout `l` of a file makes; the error's code. */
static int make(struct orr_document *out, const char *text)
{
    RELEASED_BY(orr_queries_release) struct orr_queries queries = {.ledger = &ledger};
    *out = (struct orr_document){0};
    orr_error_clear();
    int code = orr_queries_add(&queries, "papers/tables.sql", text);
    if (!code)
        code = orr_query_table(out, &queries, orr_queries_find(&queries, ORR_SECTION_LAYOUT, "l"));
    return code;
}

static const struct orr_value *at(const struct orr_document *document, size_t row, size_t column)
{
    return orr_grid_at(document->grids[0], row, column);
}

TEST(a_grid_has_rows_formats_and_notes)
{
    RELEASED_BY(orr_document_release) struct orr_document d;
    assert_done(make(&d, "--: layout l\n"
                         "--: data Bodies in {unit}\n"
                         "SELECT rowid AS row, name, mass, mass < 1 AS \"mass.about\",\n"
                         "    seconds, 'half a unit' AS \"seconds.note\", 1 AS _hidden\n"
                         "FROM body ORDER BY mass DESC;\n"
                         "--: column name | name | | left | all\n"
                         "--: column mass | mass at {flops} | kg | number | people\n"
                         "--: column seconds | time | {unit} | seconds | people if NOT boxed\n"));
    const struct orr_grid *grid = d.grids[0];
    assert_int_equal(d.grid_count, 1);
    assert_string_equal(grid->title, "Bodies in ms");
    assert_true(grid->data);
    assert_int_equal(grid->column_count, 3);
    assert_string_equal(grid->columns[1].head, "mass at 38 [kg]");
    assert_string_equal(grid->columns[2].head, "time [ms]");
    assert_true(grid->columns[1].right && !grid->columns[0].right);
    assert_int_equal(grid->row_count, 2);
    assert_string_equal(at(&d, 0, 0)->text, "sun");
    assert_string_equal(at(&d, 0, 2)->text, "250.0 ms");
    assert_string_equal(at(&d, 1, 1)->text, "0.125 ≈");
    assert_true(at(&d, 1, 1)->number == 0.125 && isnan(at(&d, 1, 2)->number));
    assert_null(at(&d, 1, 2)->text);
    assert_int_equal(at(&d, 0, 2)->note, 1);
    assert_string_equal(d.notes[0], "half a unit");
}

TEST(a_spread_adds_columns_in_its_order)
{
    RELEASED_BY(orr_document_release) struct orr_document d;
    assert_int_equal(
        make(&d, "--: layout l\n--: grid Masses\n"
                 "SELECT name AS row, name, NULL AS \"*ratios\" FROM body ORDER BY name;\n"
                 "--: column name | name | | left | people\n"
                 "--: spread ratios\n"
                 "SELECT NULL AS row, 'over ' || name AS head, NULL AS value FROM body\n"
                 "UNION ALL SELECT a.name, 'over ' || b.name, number_text(a.mass / b.mass)\n"
                 "FROM body a, body b WHERE a.name <> b.name ORDER BY row, head DESC;\n"),
        0);
    const struct orr_grid *grid = d.grids[0];
    assert_int_equal(grid->column_count, 3);
    assert_string_equal(grid->columns[1].head, "over sun");
    assert_string_equal(grid->columns[2].head, "over moon");
    assert_string_equal(at(&d, 0, 0)->text, "moon");
    assert_string_equal(at(&d, 0, 1)->text, "0.125");
    assert_null(at(&d, 0, 2)->text);
    assert_string_equal(at(&d, 1, 2)->text, "8.00");
}

TEST(a_new_title_begins_a_new_grid)
{
    RELEASED_BY(orr_document_release) struct orr_document d;
    static const char *const columns = "--: column name | name | | left | people\n";
    const char *text =
        filled("%s--: layout l\n--: grid\nSELECT 'of ' || name AS grid, name FROM body;\n"
               "--: grid? None\nSELECT name FROM body WHERE 0;\n"
               "--: grid Empty | none\nSELECT name FROM body WHERE 0;\n"
               "--: remark\nSELECT name FROM body;\n",
               columns);
    assert_int_equal(make(&d, text), 0);
    assert_int_equal(d.grid_count, 3);
    assert_string_equal(d.grids[1]->title, "of moon");
    assert_string_equal(d.grids[2]->title, "Empty");
    assert_string_equal(d.grids[2]->key, "none");
    assert_int_equal(d.remark_count, 2);
}

TEST(mistakes_name_file_line_and_the_nearest_name)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"--: layout l\n--: grdi X\n",
         "papers/tables.sql:2: no section 'grdi'; did you mean 'grid'?"},
        {"--: layout l\n--: grid X\nSELECT name,\n    secnds\nFROM body;\n",
         "papers/tables.sql:4: no such column: secnds; did you mean 'seconds'?"},
        {"--: layout l\n--: grid X\nSELECT b.nme FROM body b;\n",
         "papers/tables.sql:3: no such column: b.nme; did you mean 'name'?"},
        {"--: layout l\n\n--: grid X\n-- why\nSELECT name FROM bodi;\n",
         "papers/tables.sql:5: no such table: bodi; did you mean 'body'?"},
        {"--: layout l\n--: grid X\nSELEC name FROM body;\n",
         "papers/tables.sql:3: near \"SELEC\""},
        {"--: layout l\n--: grid X\nSELECT nam FROM (SELECT name AS nam FROM body);\n"
         "--: column name | name | | left | all\n",
         "papers/tables.sql:2: no `--: column` line describes 'nam'; did you mean 'name'?"},
        {"--: layout l\n--: grid X\nSELECT name FROM body;\n--: column name | n | | bold | all\n",
         "papers/tables.sql:4: 'bold' is no format"},
        {"--: layout l\n--: grid X\nSELECT name FROM body;\n--: column name | n | | left | some\n",
         "papers/tables.sql:4: 'some' is no audience"},
        {"--: layout l\n--: grid X\nSELECT NULL AS \"*inputs\" FROM body;\n",
         "papers/tables.sql:2: the grid has no `--: spread inputs`"},
        {"--: layout l\n--: grid X in {untis}\nSELECT name FROM body;\n"
         "--: column name | name | | left | all\n",
         "papers/tables.sql:2: the table scope has no column 'untis'"},
        {"--: layout l\n--: use cels\n", "papers/tables.sql:2: there is no part 'cels'"},
        {"--: layout l\n--: grid X\n", "papers/tables.sql:2: the section has no query"},
        {"--: layout l\n--: figure ../../strange\n",
         "papers/tables.sql:2: '../../strange' is no script of plots/"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        RELEASED_BY(orr_document_release) struct orr_document d;
        assert_int_equal(make(&d, cases[k].text), ORR_EINPUT);
        if (strncmp(orr_error_text(), cases[k].says, strlen(cases[k].says)) != 0)
            fail_msg("'%s' instead of '%s'", orr_error_text(), cases[k].says);
    }
}

RUN_TESTS(begin, end)
