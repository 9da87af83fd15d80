#include "ledger/members.h"

#include <string.h>

static const struct orr_member members[] = {
#include "sql/ledger/members.h"
};
enum { MEMBERS = sizeof members / sizeof *members };

const struct orr_member *orr_members_of(size_t *count, const char *record)
{
    size_t first = 0, end;
    while (first < MEMBERS &&
           (members[first].type != ORR_MEMBER_RECORD || strcmp(members[first].record, record) != 0))
        first++;
    for (end = first + (first < MEMBERS); end < MEMBERS && members[end].type != ORR_MEMBER_RECORD;)
        end++;
    *count = end - first;
    return *count ? &members[first] : NULL;
}

const struct orr_member *orr_members_column(const char *record, bool of_round,
                                            const struct orr_member *last)
{
    size_t count;
    const struct orr_member *m = last ? last : orr_members_of(&count, record);
    for (m++; m < members + MEMBERS && m->type != ORR_MEMBER_RECORD; m++)
        if (m->sql && (of_round || m->rounds != ORR_ROUNDS_OWN))
            return m;
    return NULL;
}
