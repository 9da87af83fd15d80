/* SPDX-License-Identifier: MIT */
/* A process that runs others' plugins shuts itself in first, for good: Landlock for the file
 * system, seccomp for the rest. SECURITY.md says what is left to it. */
#ifndef ORR_SANDBOX_H
#define ORR_SANDBOX_H

#include <jansson.h>
#include <stdbool.h>

/* This process and all that it starts are asked to shut themselves in, as by ORRERY_SANDBOX=1. */
void orr_sandbox_ask(void);
bool orr_sandbox_is_asked(void);

/* For the command that starts them, before the first: tries it in a process of its own and makes
 * the one folder that they may write to. ORR_EUNSUPPORTED with the reason where this system cannot
 * do it. The three functions do nothing unless it is asked for. */
int orr_sandbox_open(void);
/* After the last one ended: removes that folder. */
void orr_sandbox_close(void);

/* Shuts the calling process in. It must not have started a thread yet. */
int orr_sandbox_enter(void);
/* False when it was asked for and this process has not entered: it must run nothing of others. */
bool orr_sandbox_holds(void);
/* "Landlock 7, seccomp", what it is made of here, for the journal. */
json_t *orr_sandbox_to_json(void);

#endif
