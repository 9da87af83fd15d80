/* SPDX-License-Identifier: MIT */
#include "terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "clock.h"
#include "memory.h"
#include "text.h"

/* The number stays when the stream became another one. */
static int number_of(FILE *stream)
{
    return stream == stdout ? STDOUT_FILENO : stream == stderr ? STDERR_FILENO : fileno(stream);
}

bool orr_terminal_moves(FILE *stream)
{
    const char *term = getenv("TERM");
    return isatty(number_of(stream)) && !(term && !strcmp(term, "dumb"));
}

bool orr_terminal_colours(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR");
    return orr_terminal_moves(stream) && !(no_colour && *no_colour);
}

size_t orr_terminal_columns(FILE *stream)
{
    enum { LEAST = 40 };
    struct winsize size;
    const int number = number_of(stream);
    if (!isatty(number) || ioctl(number, TIOCGWINSZ, &size) || !size.ws_col)
        return SIZE_MAX;
    return size.ws_col < LEAST ? LEAST : size.ws_col;
}

/* The byte behind the first `count` characters. */
static char *behind(char *text, size_t count)
{
    for (; *text; text++)
        if (((unsigned char)*text & 0xc0) != 0x80 && !count--)
            break;
    return text;
}

char *orr_terminal_cut(char *text, size_t columns)
{
    static const char ellipsis[] = "…";
    char *end = behind(text, columns);
    if (columns && *end) {
        end = behind(text, columns - 1);
        /* At least two characters are cut off, of a byte each perhaps. */
        snprintf(end, strlen(end) + 1, "%s", strlen(end) < sizeof ellipsis - 1 ? "." : ellipsis);
    }
    return text;
}

void orr_terminal_wrap(const char *text, size_t at, size_t indent)
{
    const size_t width = orr_terminal_columns(stdout);
    for (bool first = true; *text; first = false) {
        const char *close = *text == '`' ? strchr(text + 1, '`') : NULL;
        const size_t quoted = close ? (size_t)(close - text) : 0,
                     length = quoted + strcspn(text + quoted, " ");
        char *word = orr_memory_text(text);
        word[length] = '\0';
        const size_t wide = orr_text_characters(word);
        if (at + !first + wide > width && (at > indent || !first))
            printf("\n%*s", (int)(at = indent), "");
        else if (!first)
            at += (size_t)printf(" ");
        at += wide;
        fputs(word, stdout);
        free(word);
        text += length + (text[length] != '\0');
    }
    putchar('\n');
}

/* --- ASCII --- */

/* Orrery writes these signs; letters of names lose their accents. */
static const struct {
    const char *from, *to;
} signs[] = {
    {"±", "+-"},  {"≈", "~"},   {"—", "-"},  {"–", "-"},  {"…", "..."},   {"×", "x"},
    {"µ", "u"},   {"≤", "<="},  {"≥", ">="}, {"†", "+"},  {"·", "."},     {"→", "->"},
    {"−", "-"},   {"²", "^2"},  {"³", "^3"}, {"“", "\""}, {"”", "\""},    {"‘", "'"},
    {"’", "'"},   {"°", "deg"}, {"║", "|"},  {"█", "#"},  {"θ", "theta"}, {"ε", "eps"},
    {"½", "1/2"}, {"ß", "ss"},  {"Æ", "AE"}, {"æ", "ae"},
};

/* U+00C0 to U+00FF */
static const char letters[] = "AAAAAA?CEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty";

static const char *ascii_of(const char *text, size_t length, char one[2])
{
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (strlen(signs[k].from) == length && !memcmp(signs[k].from, text, length))
            return signs[k].to;
    unsigned second = (unsigned char)text[1] & 0x3f;
    one[0] = '?';
    if (length == 2 && (unsigned char)text[0] == 0xc3)
        one[0] = letters[second];
    one[1] = '\0';
    return one;
}

static ssize_t write_ascii(void *to, const char *text, size_t size)
{
    for (size_t k = 0, length; k < size; k += length) {
        char one[2];
        length = 1;
        while ((text[k] & 0x80) && k + length < size && (text[k + length] & 0xc0) == 0x80)
            length++;
        if (text[k] & 0x80)
            fputs(ascii_of(text + k, length, one), to);
        else
            fputc(text[k], to);
    }
    return fflush(to) ? -1 : (ssize_t)size;
}

static bool is_plain_locale(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *value = getenv(names[k]);
        if (value && *value)
            return !strcmp(value, "C") || !strcmp(value, "POSIX");
    }
    return false; /* unset, as in containers, says nothing of the terminal */
}

/* Another stream to the terminal; `to` itself where it is none. */
static FILE *ascii_stream(FILE *to)
{
    FILE *stream = isatty(fileno(to))
                       ? fopencookie(to, "w", (cookie_io_functions_t){.write = write_ascii})
                       : NULL;
    /* Writing line by line keeps characters whole. */
    if (stream)
        setvbuf(stream, NULL, _IOLBF, BUFSIZ);
    return stream ? stream : to;
}

void orr_terminal_begin(void)
{
    if (!is_plain_locale())
        return;
    stdout = ascii_stream(stdout);
    stderr = ascii_stream(stderr);
}

/* --- waiting --- */

static const double AFTER_S = 1;

void orr_waiting_at(struct orr_waiting *waiting, const char *what, const char *name, size_t place,
                    size_t count)
{
    const double now = orr_clock_now();
    waiting->since = waiting->since ? waiting->since : now;
    if (now - waiting->since < AFTER_S || !orr_terminal_moves(waiting->to))
        return;
    char line[256];
    snprintf(line, sizeof line, "%s: %s (%zu of %zu)", what, name, place + 1, count);
    fprintf(waiting->to, "\r\033[K%s",
            orr_terminal_cut(line, orr_terminal_columns(waiting->to) - 1));
    fflush(waiting->to);
    waiting->shown = true;
}

void orr_waiting_end(struct orr_waiting *waiting)
{
    if (waiting->shown) {
        fputs("\r\033[K", waiting->to);
        fflush(waiting->to);
    }
    waiting->shown = false;
}
