/* SPDX-License-Identifier: MIT */
/* Progress of what takes long: after a second, on a terminal, and gone in the end. */
#define _XOPEN_SOURCE 700 /* posix_openpt */
#include <fcntl.h>

#include "harness/terminal.h"
#include "tests/cases.h"

/* A terminal, and the side on which its text is read. */
static FILE *open_terminal(int *other)
{
    *other = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    assert_true(*other >= 0 && !grantpt(*other) && !unlockpt(*other));
    FILE *terminal = fopen(ptsname(*other), "r+");
    assert_non_null(terminal);
    return terminal;
}

static const char *text_of(int other)
{
    static char text[512];
    ssize_t length = read(other, text, sizeof text - 1);
    text[length > 0 ? length : 0] = '\0';
    return text;
}

TEST(shows_after_a_second)
{
    struct orr_waiting waiting;
    int other;
    FILE *terminal = open_terminal(&other);
    waiting = (struct orr_waiting){.to = terminal};
    orr_waiting_at(&waiting, "claims", "shan", 0, 4);
    assert_string_equal(text_of(other), "");
    waiting.since -= 2;
    orr_waiting_at(&waiting, "claims", "feng", 1, 4);
    assert_non_null(strstr(text_of(other), "claims: feng (2 of 4)"));
    orr_waiting_end(&waiting);
    assert_non_null(strstr(text_of(other), "\033[K"));
    orr_waiting_end(&waiting);
    assert_string_equal(text_of(other), "");
    fclose(terminal);
    close(other);
}

TEST(no_terminal_no_text)
{
    struct orr_waiting waiting;
    RELEASED_BY(free_text) char *text = NULL;
    size_t size = 0;
    FILE *file = tmpfile();
    assert_non_null(file);
    waiting = (struct orr_waiting){.to = file, .since = -2};
    orr_waiting_at(&waiting, "claims", "shan", 0, 4);
    orr_waiting_end(&waiting);
    assert_int_equal(ftell(file), 0);
    fclose(file);
    FILE *memory = open_memstream(&text, &size); /* has no file descriptor */
    assert_non_null(memory);
    waiting = (struct orr_waiting){.to = memory, .since = -2};
    orr_waiting_at(&waiting, "claims", "shan", 0, 4);
    fclose(memory);
    assert_int_equal(size, 0);
}

RUN_TESTS(NULL, NULL)
