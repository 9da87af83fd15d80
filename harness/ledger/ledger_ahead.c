/* Which lines of a journal are read for a ledger, while another journal is loaded. */
#include <stdio.h>
#include <string.h>

#include "json_member.h"
#include "ledger/ledger_parts.h"

bool orr_ledger_is_of(const char *experiment, const char *only)
{
    const size_t length = strlen(only);
    return !strncmp(experiment, only, length) &&
           (experiment[length] == '/' || (!experiment[length] && strchr(only, '/')));
}

/* Whether a shard is whole is asked of all its cells. */
static int look_for_shards(json_t *record, size_t line, void *context)
{
    struct orr_ledger_ahead *ahead = context;
    const char *kind = orr_json_text(record, "record");
    (void)line;
    if (kind && !strcmp(kind, "run"))
        ahead->is_shard = json_object_get(record, "shard") != NULL;
    return 0;
}

/* A cell of what is not shown, as a run writes it: it is passed over, and so are its flaws. */
static bool is_of_others(const char *line, size_t length, const void *context)
{
    static const char before[] = "{\"record\":\"cell\",\"id\":\"",
                      behind[] = "\",\"experiment\":\"";
    enum { BEFORE = sizeof before - 1, BEHIND = sizeof behind - 1, LONGEST = 128 };
    const struct orr_ledger_ahead *ahead = context;
    const char *id = line + BEFORE, *end = line + (length < 512 ? length : 512);
    if (!*ahead->only || ahead->is_shard || end < id || memcmp(line, before, BEFORE))
        return false;
    const char *quote = memchr(id, '"', (size_t)(end - id)), *name = quote + BEHIND;
    if (!quote || end < name || memcmp(quote, behind, BEHIND))
        return false;
    char experiment[LONGEST];
    const char *last = memchr(name, '"', (size_t)(end - name));
    if (!last || last - name >= LONGEST || memchr(name, '\\', (size_t)(last - name)))
        return false;
    snprintf(experiment, sizeof experiment, "%.*s", (int)(last - name), name);
    return !orr_ledger_is_of(experiment, ahead->only);
}

void orr_ledger_read_ahead(struct orr_ledger_ahead *out, const struct orr_ledger *ledger,
                           const char *path)
{
    *out = (struct orr_ledger_ahead){.only = ledger->only};
    orr_journal_ahead_start(&out->journal, path,
                            &(struct orr_journal_wish){
                                .each = look_for_shards, .passes = is_of_others, .context = out});
}
