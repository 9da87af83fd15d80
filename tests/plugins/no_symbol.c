/* SPDX-License-Identifier: MIT */
/* Exports nothing at all. */
static int unused __attribute__((used)) = 1;
