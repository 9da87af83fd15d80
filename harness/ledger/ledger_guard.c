/* SPDX-License-Identifier: MIT */
/* SQL that people write: what it may do, and what is said of its mistakes. */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "clock.h"
#include "error.h"
#include "ledger/ledger.h"
#include "names.h"
#include "paths.h"
#include "text.h"

/* A temporary view is a row of sqlite_temp_master, which SQL itself cannot write to. */
static bool may_write(const struct orr_ledger_guard *guard, const char *table, const char *database)
{
    bool of_guard = guard->temporary || orr_names_has((char *const *)guard->writable, table) ||
                    (guard->writable && !strcmp(table, "sqlite_temp_master"));
    return of_guard && database && !strcmp(database, "temp");
}

/* Times of results that are wrong on purpose are not for SQL that makes something of the ledger. */
static bool may_read(const struct orr_ledger_guard *guard, const char *table)
{
    bool makes = guard->writable || guard->temporary;
    return !makes || !table ||
           (strcmp(table, "wrong_on_purpose") && (guard->racing || strcmp(table, "audit_racing")));
}

static bool may(const struct orr_ledger_guard *guard, int action, const char *first,
                const char *second, const char *database)
{
    static const char *const pragmas[] = {"table_info", "table_xinfo", "table_list", NULL};
    switch (action) {
    case SQLITE_SELECT:
        return true;
    case SQLITE_READ:
        return may_read(guard, first);
    case SQLITE_RECURSIVE:
        return guard->recursive;
    case SQLITE_FUNCTION:
        return strcmp(second, "load_extension") != 0;
    case SQLITE_PRAGMA:
        return orr_names_has((char *const *)pragmas, first);
    case SQLITE_CREATE_TEMP_VIEW:
        return guard->temporary || guard->writable;
    case SQLITE_CREATE_TEMP_TABLE:
        return guard->temporary || guard->tables;
    case SQLITE_CREATE_TEMP_INDEX:
        return guard->temporary;
    case SQLITE_ALTER_TABLE: /* names the database first */
        return guard->temporary && !strcmp(first, "temp");
    case SQLITE_REINDEX: /* what making an index does */
        return guard->temporary && database && !strcmp(database, "temp");
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
        return may_write(guard, first, database);
    default:
        return false;
    }
}

static int allow(void *context, int action, const char *first, const char *second,
                 const char *database, const char *view)
{
    (void)view;
    return may(context, action, first, second, database) ? SQLITE_OK : SQLITE_DENY;
}

/* Called by SQLite now and then: whether SQL must end. */
static int is_over(void *context)
{
    const struct orr_ledger_held *held = context;
    return (held->stop && *held->stop) || (held->deadline > 0 && orr_clock_now() > held->deadline);
}

void orr_ledger_limit(const struct orr_ledger *ledger, double seconds,
                      const volatile sig_atomic_t *stop)
{
    ledger->held->limit_s = seconds;
    ledger->held->stop = stop;
}

/* Within one instruction SQLite looks at no clock, and one may take as long as it likes: a search
 * in a long text, a `printf` of a width. What is not over a second after its time ends the program.
 */
static _Noreturn void end_program(int number)
{
    static const char text[] =
        "orrery: one instruction of SQL takes longer than --timeout allows\n";
    (void)number;
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    _exit(ORR_EXIT_USAGE);
}

/* A process has one such clock: with guards in two threads it runs from the later one's beginning
 * until both have ended. */
static void watch(struct orr_ledger_held *held, double seconds)
{
    static const double GRACE_S = 1;
    static atomic_int watched;
    struct itimerval at = {{0, 0}, {0, 0}};
    const bool was = held->watched;
    held->watched = seconds > 0;
    const int others = atomic_fetch_add(&watched, held->watched - was) - was;
    if (held->watched) {
        sigaction(SIGALRM, &(struct sigaction){.sa_handler = end_program}, NULL);
        at.it_value.tv_sec = (time_t)ceil(seconds + GRACE_S);
    }
    if (held->watched || !others)
        setitimer(ITIMER_REAL, &at, NULL);
}

/* The first use of a table-valued function declares its table, which a guard would refuse. */
void orr_ledger_guard(const struct orr_ledger *ledger, const struct orr_ledger_guard *guard)
{
    static const char used[] = "SELECT count(*) FROM json_each('0'), json_tree('0'),"
                               " pragma_table_info('run'), pragma_table_list('run') LIMIT 0";
    sqlite3_exec(ledger->db, guard ? used : "", NULL, NULL, NULL);
    /* SQLite looks at the clock after so many instructions; a text or blob has so many bytes. */
    enum { INSTRUCTIONS = 1000, LONGEST = 1 << 24 };
    struct orr_ledger_held *held = ledger->held;
    held->guard = guard;
    held->deadline = held->limit_s > 0 ? orr_clock_now() + held->limit_s : 0;
    watch(held, guard ? held->limit_s : 0);
    sqlite3_limit(ledger->db, SQLITE_LIMIT_LENGTH, guard ? LONGEST : INT_MAX);
    sqlite3_progress_handler(ledger->db, guard ? INSTRUCTIONS : 0, is_over, held);
    sqlite3_set_authorizer(ledger->db, guard ? allow : NULL, (void *)guard);
}

/* The nearest name of a column, or table, that `word` could mean: "; did you mean 'seconds'?". A
 * column of that very name is another table's. */
static void suggest(char *out, size_t size, const struct orr_ledger *ledger, const char *word,
                    bool column)
{
    static const char columns[] =
        "SELECT DISTINCT c.name FROM (SELECT name FROM sqlite_temp_master UNION SELECT name FROM"
        " sqlite_master WHERE type IN ('table', 'view')) m JOIN pragma_table_info(m.name) c";
    static const char tables[] = "SELECT name FROM sqlite_temp_master WHERE type IN ('table',"
                                 " 'view') UNION SELECT name FROM sqlite_master";
    struct orr_names names = {0};
    char **list;
    sqlite3_stmt *row = NULL;
    *out = '\0';
    if (sqlite3_prepare_v2(ledger->db, column ? columns : tables, -1, &row, NULL))
        return;
    while (sqlite3_step(row) == SQLITE_ROW)
        orr_names_add(&names, "%s", orr_ledger_text(row, 0));
    sqlite3_finalize(row);
    orr_names_finish(&names, &list, 0);
    if (orr_names_has(list, word))
        snprintf(out, size, "; other tables have one");
    else
        orr_text_hint(out, size, word, (const char *const *)list, orr_names_count(list));
    orr_names_free(list);
}

/* What SQLite said last, in our words where the guard or the limit is behind it. */
static void describe_fault(char *out, size_t size, const struct orr_ledger *ledger)
{
    const struct orr_ledger_held *held = ledger->held;
    const char *said = sqlite3_errmsg(ledger->db);
    const int code = sqlite3_errcode(ledger->db);
    if (code == SQLITE_INTERRUPT && held->stop && *held->stop)
        snprintf(out, size, "interrupted");
    else if (code == SQLITE_INTERRUPT)
        snprintf(out, size, "not done after %g s; --timeout gives it more", held->limit_s);
    else if (held->guard && code == SQLITE_TOOBIG)
        snprintf(out, size, "a text or blob of more than %d bytes",
                 sqlite3_limit(ledger->db, SQLITE_LIMIT_LENGTH, -1));
    else if (held->guard && !strncmp(said, "not authorized", strlen("not authorized")))
        snprintf(out, size, "not allowed here: %s", held->guard->rule);
    else if (held->guard && strstr(said, " is prohibited"))
        snprintf(out, size,
                 "not allowed here: times of results that are wrong on purpose are an audit's");
    else
        snprintf(out, size, "%s", said);
}

/* SQLite does not say where it met a table that there is not: where the statement names it
 * first. */
int orr_ledger_blame(const struct orr_ledger *ledger, const char *file, size_t line,
                     const char *text, const char *statement)
{
    static const char *const kinds[] = {"no such table: ", "no such column: "};
    char message[256], near[128] = "";
    int offset = sqlite3_error_offset(ledger->db);
    const char *fault = offset < 0 ? statement : statement + offset;
    describe_fault(message, sizeof message, ledger);
    for (size_t column = 0; column < 2; column++)
        if (!strncmp(message, kinds[column], strlen(kinds[column]))) {
            const char *word = message + strlen(kinds[column]), *dot = strrchr(word, '.');
            const char *found = offset < 0 ? strstr(statement, word) : NULL;
            suggest(near, sizeof near, ledger, dot ? dot + 1 : word, column);
            fault = found ? found : fault;
        }
    for (const char *at = text; at < fault; at++)
        line += *at == '\n';
    return orr_fail(ORR_EINPUT, "%s:%zu: %s%s", file, line, message, near);
}

const char *orr_ledger_skip(const char *text)
{
    for (;;) {
        while (isspace((unsigned char)*text))
            text++;
        if (!strncmp(text, "--", 2)) {
            text += strcspn(text, "\n");
        } else if (!strncmp(text, "/*", 2)) {
            const char *end = strstr(text + 2, "*/");
            text = end ? end + 2 : text + strlen(text);
        } else {
            return text;
        }
    }
}

int orr_ledger_run_text(const struct orr_ledger *ledger, const char *file, size_t line,
                        const char *text, const char *first)
{
    int code = 0;
    for (const char *at = orr_ledger_skip(text); !code && *at; at = orr_ledger_skip(at)) {
        const char *start = at;
        sqlite3_stmt *statement = NULL;
        int status = sqlite3_prepare_v2(ledger->db, start, -1, &statement, &at);
        if (status == SQLITE_OK && first && sqlite3_bind_parameter_count(statement))
            status = sqlite3_bind_text(statement, 1, first, -1, SQLITE_STATIC);
        while (status == SQLITE_ROW || (status == SQLITE_OK && statement))
            status = sqlite3_step(statement);
        if (status != SQLITE_DONE && status != SQLITE_OK)
            code = orr_ledger_blame(ledger, file, line, text, start);
        sqlite3_finalize(statement);
    }
    return code;
}

int orr_ledger_run_own(const struct orr_ledger *ledger, const struct orr_ledger_guard *guard,
                       const char *paper, const char *file)
{
    char path[PATH_MAX], *text = NULL;
    const char *shown;
    size_t size;
    int code = orr_paths_paper(path, sizeof path, &shown, paper, file);
    if (code || access(path, F_OK))
        return code;
    code = orr_text_read(&text, &size, path, shown);
    if (!code) {
        orr_ledger_guard(ledger, guard);
        code = orr_ledger_run_text(ledger, shown, 1, text, NULL);
        orr_ledger_guard(ledger, NULL);
    }
    free(text);
    return code;
}
