/* SPDX-License-Identifier: MIT */
/* A direct sum as a program of its own, and the smallest example of docs/PROGRAMS.md in C:
 *
 *     cc -O2 -o direct adapters/direct.c -lm && orrery run --program ./direct gaburov/headline */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* What stands behind "name": in the line, NULL where it is not there. */
static char *member(char *line, const char *name)
{
    char key[40];
    snprintf(key, sizeof key, "\"%s\":", name);
    char *at = strstr(line, key);
    return at ? at + strlen(key) : NULL;
}

/* The n doubles of a column, whose value is a path. */
static double *column(char *line, const char *name, size_t n, int protection)
{
    char path[64] = "";
    char *at = member(line, name);
    int file = at && sscanf(at, "\"%63[^\"]\"", path) == 1
                   ? open(path, protection & PROT_WRITE ? O_RDWR : O_RDONLY)
                   : -1;
    void *data = file < 0 ? MAP_FAILED : mmap(NULL, n * 8, protection, MAP_SHARED, file, 0);
    if (data == MAP_FAILED)
        exit(1);
    return data;
}

static void sum(size_t n, double eps, double *const x[4], double *const a[4])
{
    for (size_t i = 0; i < n; i++) {
        double s[4] = {0};
        for (size_t j = 0; j < n; j++) {
            double d[3] = {x[0][j] - x[0][i], x[1][j] - x[1][i], x[2][j] - x[2][i]};
            double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + eps * eps;
            double w = j == i || r2 == 0 ? 0 : x[3][j] / sqrt(r2);
            for (int k = 0; k < 3; k++)
                s[k] += r2 > 0 ? w / r2 * d[k] : 0;
            s[3] -= w;
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

int main(void)
{
    static const char *const names[] = {"x", "y", "z", "m", "ax", "ay", "az", "phi"};
    static char line[1 << 16];
    double *columns[8], eps = 0;
    size_t n = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* an answer is sent at its end */
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"describe\"")) {
            puts("{\"summary\":\"a direct sum in C\",\"potential\":true,"
                 "\"parameters\":{\"eps\":null}}");
        } else if (strstr(line, "\"prepare\"")) {
            n = strtoull(member(line, "n"), NULL, 10);
            eps = atof(member(line, "eps"));
            for (int k = 0; k < 8; k++)
                columns[k] = column(line, names[k], n, k < 4 ? PROT_READ : PROT_READ | PROT_WRITE);
            puts("ready");
        } else if (!strcmp(line, "step\n")) {
            double start = seconds();
            sum(n, eps, columns, columns + 4);
            printf("stepped %g\n", seconds() - start);
        } else {
            puts("done");
            break;
        }
    }
    return 0;
}
