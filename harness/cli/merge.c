/* orrery merge: journals of shards, machines and people as one folder. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/journal_copies.h"
#include "cli/new_folder.h"
#include "cli/options.h"
#include "error.h"
#include "ledger/campaign.h"
#include "ledger/ledger.h"
#include "text.h"

struct merge {
    struct orr_words from;
    const char *target;
    bool mixed, partial, damaged;
    struct orr_ledger ledger;
    struct orr_new_folder folder;
    struct orr_journal_copies copies;
    size_t refused;
    char first[1024]; /* reason to refuse, with the option that lets it pass */
};

/* --- what is wrong --- */

static int judge_damage(const struct merge *merge)
{
    const struct orr_journal_damage *damage = &merge->ledger.damage;
    char named[sizeof damage->text];
    snprintf(named, sizeof named, "%s", damage->text);
    if (!damage->count || merge->damaged)
        return 0;
    return orr_fail(ORR_EINPUT,
                    "nothing was merged: %zu damaged line%s in the journals: %s; `orrery run "
                    "--resume` measures such cells again, --damaged merges what readers skip",
                    damage->count, damage->count == 1 ? "" : "s", orr_text_tame(named));
}

static int hear(enum orr_campaign_kind kind, const char *text, void *context)
{
    struct merge *merge = context;
    const bool mixed = kind == ORR_CAMPAIGN_MIXED || kind == ORR_CAMPAIGN_PLANS,
               shards = kind == ORR_CAMPAIGN_SHARDS, told = kind == ORR_CAMPAIGN_TWICE;
    char tamed[900];
    snprintf(tamed, sizeof tamed, "%s", text);
    orr_text_tame(tamed);
    if (told || (mixed && merge->mixed) || (shards && merge->partial))
        printf("%s\n", tamed);
    else if (!merge->refused++)
        snprintf(merge->first, sizeof merge->first, "%s%s", tamed,
                 mixed    ? "; --mixed merges them nevertheless"
                 : shards ? "; --partial merges what there is"
                          : "");
    return 0;
}

static int judge(struct merge *merge)
{
    char more[80] = "";
    if (!merge->ledger.journals)
        return orr_fail(ORR_EUSAGE, "there are no journals in what was named");
    int code = judge_damage(merge);
    if (!code)
        code = orr_campaign_each(&merge->ledger, true, hear, merge);
    if (merge->refused > 1)
        snprintf(more, sizeof more, "; and %zu more, which `orrery check` lists",
                 merge->refused - 1);
    return code || !merge->refused
               ? code
               : orr_fail(ORR_EINPUT, "nothing was merged: %s%s", merge->first, more);
}

/* --- the folder --- */

static int write_folder(struct merge *merge)
{
    int code = orr_new_folder_begin(&merge->folder);
    merge->copies =
        (struct orr_journal_copies){.ledger = &merge->ledger, .folder = merge->folder.path};
    if (!code && (code = orr_journal_copies_write(&merge->copies)))
        orr_error_context("nothing was merged");
    if (!code)
        code = orr_new_folder_commit(&merge->folder);
    orr_new_folder_abandon(&merge->folder);
    return code;
}

static int choose_folder(struct merge *merge)
{
    if (!merge->from.count)
        return orr_fail(ORR_EUSAGE, "merge what? Name journals, folders or machines, and -o DIR");
    if (!merge->target || !*merge->target)
        return orr_fail(ORR_EUSAGE, "merge needs -o DIR, the folder to write");
    return orr_new_folder_choose(&merge->folder, merge->target, "merge");
}

static int merge_all(struct merge *merge)
{
    int code = choose_folder(merge);
    if (!code)
        code = orr_ledger_open(&merge->ledger);
    for (int k = 0; !code && k < merge->from.count; k++)
        code = orr_ledger_add(&merge->ledger, merge->from.items[k]);
    if (!code)
        code = judge(merge);
    if (!code)
        code = write_folder(merge);
    if (!code)
        printf("%zu journal%s: %s\n", merge->copies.count, merge->copies.count == 1 ? "" : "s",
               merge->folder.to);
    orr_ledger_close(&merge->ledger);
    return code;
}

int orr_cli_merge(int argc, char **argv)
{
    struct merge merge = {0};
    const struct orr_option options[] = {
        {"output", 'o', ORR_OPTION_TEXT, &merge.target, "DIR", "the folder to write, a new one"},
        {"partial", 0, ORR_OPTION_FLAG, &merge.partial, NULL,
         "although shards or some of their cells are missing"},
        {"mixed", 0, ORR_OPTION_FLAG, &merge.mixed, NULL,
         "although versions, drivers, builds or machines of one name differ"},
        {"damaged", 0, ORR_OPTION_FLAG, &merge.damaged, NULL,
         "although lines are damaged, which readers skip"},
    };
    const struct orr_options all = {
        "merge JOURNAL|DIR|MACHINE... -o DIR",
        "Journals of shards, machines and people, in any order, as one folder. They are copied as\n"
        "they are, once each; what does not fit together is refused.",
        options, sizeof options / sizeof *options};
    int code = orr_options_parse(&all, argc, argv, &merge.from);
    if (!code)
        code = merge_all(&merge);
    orr_options_release_words(&merge.from);
    return orr_cli_status(code);
}
