/* SPDX-License-Identifier: MIT */
/* The counters of perf_for_tests.h for a program that was not built with them, by LD_PRELOAD. */
#define _GNU_SOURCE
#include "tests/perf_for_tests.h"
