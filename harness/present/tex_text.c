#include "present/tex_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* What TeX reserves, and what Orrery prints beyond ASCII. Symbols are those of the fonts that every
 * TeX has: \textmu, and \$ outside of formulas, want fonts that may have to be made. */
static const struct {
    const char *from, *to;
} escapes[] = {
    {"±", "$\\pm$"},
    {"×", "$\\times$"},
    {"÷", "$\\div$"},
    {"·", "$\\cdot$"},
    {"≈", "$\\approx$"},
    {"†", "$\\dagger$"},
    {"‡", "$\\ddagger$"},
    {"—", "---"},
    {"–", "--"},
    {"−", "$-$"},
    {"…", "\\ldots{}"},
    {"µ", "$\\mu$"},
    {"μ", "$\\mu$"},
    {"θ", "$\\theta$"},
    {"ε", "$\\epsilon$"},
    {"√", "$\\surd$"},
    {"→", "$\\rightarrow$"},
    {"≥", "$\\geq$"},
    {"≤", "$\\leq$"},
    {"°", "$^{\\circ}$"},
    {"²", "$^{2}$"},
    {"³", "$^{3}$"},
    {"®", "(R)"},
    {"©", "(C)"},
    {"™", "(TM)"},
    {"“", "``"},
    {"”", "''"},
    {"‘", "`"},
    {"’", "'"},
    {"\u00a0", "~"},
    {"\\", "\\textbackslash{}"},
    {"&", "\\&"},
    {"%", "\\%"},
    {"$", "$\\$$"},
    {"#", "\\#"},
    {"_", "\\_"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"<", "$<$"},
    {">", "$>$"},
    {"|", "$|$"},
    {"\n", " "},
};
enum { ESCAPES = sizeof escapes / sizeof *escapes };

/* Latin letters with accents that its oldest encoding puts together; all of two bytes. */
static bool is_letter(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    return byte[0] == 0xc3 && byte[1] >= 0x80 && !strchr("\x90\x9e\xb0\xbe", (char)byte[1]);
}

static size_t length_of(const char *text)
{
    size_t length = 1;
    while (((unsigned char)text[length] & 0xc0) == 0x80)
        length++;
    return length;
}

/* Where lines may be broken besides blanks: hyphens, and places in words that are too long for any
 * line. */
struct walk {
    size_t word, since; /* characters of the word, and of those behind the last place to break */
    bool begun;
};

/* Whether a line may be broken behind the character at `text`, the next one of the text. */
static bool breaks_behind(struct walk *walk, const char *text)
{
    enum { LONG = 30, MOST = 20, LEAST = 8 };
    if (*text == ' ') {
        *walk = (struct walk){0};
        return true;
    }
    if (!walk->begun)
        *walk = (struct walk){strcspn(text, " "), 0, true};
    walk->since++;
    bool breaks = *text == '-' ||
                  (walk->word > LONG &&
                   (walk->since >= MOST || (walk->since >= LEAST && strchr("_/=,.:;+", *text))));
    if (breaks)
        walk->since = 0;
    return breaks;
}

void orr_tex_text(FILE *to, const char *text)
{
    struct walk walk = {0};
    while (*text) {
        size_t length = length_of(text), k = 0;
        while (k < ESCAPES &&
               (strlen(escapes[k].from) != length || strncmp(text, escapes[k].from, length) != 0))
            k++;
        if (k < ESCAPES)
            fputs(escapes[k].to, to);
        else if (length == 1 || is_letter(text))
            fprintf(to, "%.*s", (int)length, text);
        else
            fputc('?', to);
        bool breaks = breaks_behind(&walk, text);
        if (text[0] == '-' && text[1] == '-') /* an option's dashes are two */
            fputs("{}", to);
        else if (breaks && !strchr(" -", *text))
            fputs("\\allowbreak{}", to);
        text += length;
    }
}

/* Computer Modern's widths by kind, in thousandths of an em. */
static int width_of(char c)
{
    if (isdigit((unsigned char)c))
        return 500;
    if (c && strchr(" .,:;'`!|()[]-/fijlrstI", c))
        return 400;
    if (c && strchr("mwMW%#", c))
        return 1000;
    return islower((unsigned char)c) ? 556 : 780;
}

double orr_tex_width(const char *text)
{
    int width = 0;
    for (; *text; text += length_of(text))
        width += width_of(*text);
    return width * 1e-3;
}

double orr_tex_longest_word(const char *text)
{
    int longest = 0, width = 0;
    struct walk walk = {0};
    for (; *text; text += length_of(text)) {
        width += width_of(*text);
        if (width > longest)
            longest = width;
        if (breaks_behind(&walk, text))
            width = 0;
    }
    return longest * 1e-3;
}
