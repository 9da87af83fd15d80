/* A folder that a command writes: whole or not at all, and never into one that holds something. */
#ifndef ORR_CLI_NEW_FOLDER_H
#define ORR_CLI_NEW_FOLDER_H

struct orr_new_folder {
    const char *verb; /* "merge", for messages */
    char to[1000];    /* without slashes behind */
    char path[1024];  /* where to write until it is committed; "": not made yet */
};

/* Is `target` still to be made, or empty? Asked before long work; makes nothing. ORR_EUSAGE. */
int orr_new_folder_choose(struct orr_new_folder *out, const char *target, const char *verb);
/* Makes it under another name, and the folders above it. */
int orr_new_folder_begin(struct orr_new_folder *folder);
/* Gives it its name. */
int orr_new_folder_commit(struct orr_new_folder *folder);
/* Removes what was written; safe at any time. */
void orr_new_folder_abandon(struct orr_new_folder *folder);

#endif
