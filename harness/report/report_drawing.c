#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "report/report_parts.h"
#include "present/write.h"
#include "text.h"

/* What gnuplot hands to a script of its own becomes a title, which every browser shows. Returns
 * where the drawing goes on. */
static const char hover[] = "onmousemove=\"gnuplot_svg.showHypertext(evt,'";
static const char *put_hover(FILE *to, const char *text)
{
    static const char after[] = "<title> </title>";
    const char *end = strstr(text, "')\""), *rest = end ? strstr(end, after) : NULL;
    if (!rest)
        return text;
    fprintf(to, "class=\"point\"><title>%.*s</title>", (int)(end - text), text);
    return rest + strlen(after);
}

/* What ends in a name, of an element or of a reference to one. */
static size_t before_name(const char *text)
{
    static const char *const names[] = {"id='", "id=\"", "href='#", "href=\"#", "url(#"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strncmp(text, names[k], strlen(names[k])))
            return strlen(names[k]);
    return 0;
}

/* The text up to `end`, with `prefix` in front of the name in each id and reference. */
static void put_prefixed(FILE *to, const char *text, const char *end, const char *prefix)
{
    static const char beginnings[] = "ihuo"; /* of names, and of `hover` */
    while (text < end) {
        size_t plain = strcspn(text, beginnings), length;
        if (plain > (size_t)(end - text))
            plain = (size_t)(end - text);
        fwrite(text, 1, plain, to);
        text += plain;
        if (text == end)
            break;
        if (!strncmp(text, hover, strlen(hover))) {
            text = put_hover(to, text + strlen(hover));
            continue;
        }
        length = before_name(text);
        fwrite(text, 1, length ? length : 1, to);
        if (length)
            fprintf(to, "%s-", prefix);
        text += length ? length : 1;
    }
}

int orr_report_drawing(FILE *to, const char *path, const char *prefix, const char *text)
{
    char *drawing;
    size_t size;
    int code = orr_text_read(&drawing, &size, path, path);
    if (code)
        return code;
    /* Its own title says "Gnuplot". */
    const char *begin = strstr(drawing, "<svg"), *title = strstr(drawing, "<title>"),
               *body = strstr(drawing, "</desc>"), *end = strstr(drawing, "</svg>");
    if (begin && title && body && end && begin < title && title < body && body < end) {
        put_prefixed(to, begin, title, prefix);
        fputs("<desc>", to);
        orr_html_text(to, text);
        put_prefixed(to, body, end, prefix);
        fputs("</svg>\n", to);
    } else
        code = orr_fail(ORR_EINTERNAL, "%s is no drawing of gnuplot's", path);
    free(drawing);
    return code;
}
