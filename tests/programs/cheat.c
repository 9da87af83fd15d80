/* SPDX-License-Identifier: MIT */
/* Programs that misbehave (docs/PROGRAMS.md), by their first argument; `right` is a direct sum as
 * adapters/direct.c is. What they do is in tests/planted.txt. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static char line[1 << 16];
static const char *mode = "right";
static size_t n;
static double eps, *x[4], *a[4], *first, *before;

static bool is(const char *name)
{
    return !strcmp(mode, name);
}

static double *column(const char *name)
{
    char key[16], path[64] = "";
    snprintf(key, sizeof key, "\"%s\":\"", name);
    const char *at = strstr(line, key);
    if (!at || sscanf(at + strlen(key), "%63[^\"]", path) != 1)
        exit(9);
    int file = open(path, O_RDWR);
    if (is("program_cuts") && ftruncate(file, 8))
        fprintf(stderr, "cannot cut %s\n", name);
    return mmap(NULL, n * sizeof(double), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}

static void sum(size_t bodies, const double *mass)
{
    for (size_t i = 0; i < bodies; i++) {
        double s[4] = {0};
        for (size_t j = 0; j < n; j++) {
            double d[3] = {x[0][j] - x[0][i], x[1][j] - x[1][i], x[2][j] - x[2][i]};
            double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + eps * eps;
            for (int k = 0; k < 3 && j != i && r2 > 0; k++)
                s[k] += mass[j] * d[k] / (r2 * sqrt(r2));
            s[3] -= j != i && r2 > 0 ? mass[j] / sqrt(r2) : 0;
        }
        for (int k = 0; k < 4; k++)
            a[k][i] = s[k];
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void keep(double *to, double *const from[4])
{
    for (int k = 0; k < 4; k++)
        memcpy(to + (size_t)k * n, from[k], n * sizeof *to);
}

static void prepare(void)
{
    static const char *const names[] = {"x", "y", "z", "m", "ax", "ay", "az", "phi"};
    n = strtoull(strstr(line, "\"n\":") + 4, NULL, 10);
    eps = atof(strstr(line, "\"eps\":") + 6);
    for (int k = 0; k < 8; k++)
        *(k < 4 ? &x[k] : &a[k - 4]) = column(names[k]);
    first = calloc(4 * n, sizeof *first);
    before = calloc(4 * n, sizeof *before);
}

static void step(int count)
{
    double start = seconds(), share = is("program_tells_a_tenth") ? 0.1 : 1;
    if (is("program_answers_first")) {
        printf("stepped 1e-6\n");
        usleep(300000); /* a busy machine may take a while to look at the results */
        sum(n, x[3]);
        return;
    }
    if (is("program_crashes"))
        raise(SIGSEGV);
    if (is("program_exits"))
        exit(3);
    if (is("program_hangs"))
        pause();
    if (is("program_talks_garbage"))
        printf("fast as light\n");
    for (; is("program_endless_line");)
        printf("stepped stepped ");
    if (is("program_writes_errors"))
        fprintf(stderr, "a warning of step %d\n", count);
    if (count == 0) {
        keep(first, x);
        sum(n, x[3]);
        keep(before, a);
    } else if (is("program_previous_result")) {
        for (int k = 0; k < 4; k++)
            memcpy(a[k], before + (size_t)k * n, n * sizeof *before);
    } else {
        sum(is("program_half") ? n / 2 : n, is("program_other_masses") ? first + 3 * n : x[3]);
    }
    if (is("program_talks_on") && write(STDOUT_FILENO, "stepped 1\nstepped 1\n", 20) == 20)
        return;
    printf("stepped %g\n", share * (seconds() - start));
}

int main(int argc, char **argv)
{
    int count = 0;
    mode = argc > 1 ? argv[1] : mode;
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin) && strcmp(line, "quit\n")) {
        if (strstr(line, "\"describe\"")) {
            printf("{\"parameters\":{\"eps\":null},\"potential\":true,\"dimensions\":%d}\n",
                   is("program_misdescribes") ? 7 : 3);
        } else if (!strcmp(line, "step\n")) {
            step(count++);
        } else {
            prepare();
            puts("ready");
        }
    }
    return 0;
}
