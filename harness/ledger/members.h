/* The members of journal records and the columns that SQL finds them in, each described once, in
 * members.csv: of what type they are, what is asked of them, what becomes of several rounds. */
#ifndef ORR_MEMBERS_H
#define ORR_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

enum orr_member_type {
    ORR_MEMBER_NONE,   /* a column that the loader fills itself */
    ORR_MEMBER_RECORD, /* the record itself: its table, and what that holds */
    ORR_MEMBER_TEXT,
    ORR_MEMBER_NUMBER,
    ORR_MEMBER_INTEGER,
    ORR_MEMBER_COUNT, /* an integer from 0 up */
    ORR_MEMBER_FLAG,
    ORR_MEMBER_LIST,
    ORR_MEMBER_OBJECT
};
enum orr_member_needed {
    ORR_NEEDED_NONE, /* may be absent or null */
    ORR_NEEDED_YES,
    ORR_NEEDED_NEVER /* no record has it: it is made of the rounds of a cell */
};
enum orr_member_range {
    ORR_RANGE_NONE,
    ORR_RANGE_POSITIVE,
    ORR_RANGE_NOT_NEGATIVE,
    ORR_RANGE_COUNT
};

enum orr_member_sql {
    ORR_SQL_NONE,
    ORR_SQL_TEXT,
    ORR_SQL_REAL,
    ORR_SQL_INTEGER,
    ORR_SQL_JSON,  /* compact text with sorted keys */
    ORR_SQL_LENGTH /* of a list */
};
/* What is made of a cell's rounds (rounds.sql). */
enum orr_member_rounds {
    ORR_ROUNDS_NONE, /* the first that is known */
    ORR_ROUNDS_MEDIAN,
    ORR_ROUNDS_SUM,
    ORR_ROUNDS_MAX,
    ORR_ROUNDS_MADE,
    ORR_ROUNDS_OWN /* nothing: only rounds have that column */
};

struct orr_member {
    const char *record, *path; /* "cell", "error/median"; "#" is the line of the record */
    enum orr_member_type type;
    enum orr_member_needed needed;
    enum orr_member_range range;
    const char *column; /* "": SQL does not see it; of a record its table */
    enum orr_member_sql sql;
    enum orr_member_rounds rounds;
    const char *means; /* in a few words, for `orrery query --schema` */
};

/* The row of a record, or of the items of one of its lists, and behind it its members: *count, the
 * row included. NULL where there is no such record. */
const struct orr_member *orr_members_of(size_t *count, const char *record);
/* The next of the record's members with a column: behind `last`, or the first behind NULL. NULL
 * behind the last. */
const struct orr_member *orr_members_column(const char *record, bool of_round,
                                            const struct orr_member *last);

#endif
