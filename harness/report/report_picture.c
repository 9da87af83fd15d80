#include <errno.h>
#include <string.h>

#include "error.h"
#include "report/report_parts.h"
#include "present/write.h"

static void put_base64(FILE *to, FILE *from)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char three[3];
    size_t got;
    while ((got = fread(three, 1, 3, from)) > 0) {
        memset(three + got, 0, 3 - got);
        unsigned bits = (unsigned)three[0] << 16 | (unsigned)three[1] << 8 | three[2];
        fputc(digits[bits >> 18], to);
        fputc(digits[bits >> 12 & 63], to);
        fputc(got > 1 ? digits[bits >> 6 & 63] : '=', to);
        fputc(got > 2 ? digits[bits & 63] : '=', to);
    }
}

int orr_report_picture(FILE *to, const char *path, const char *type, const char *text)
{
    FILE *from = fopen(path, "r");
    if (!from)
        return orr_fail(ORR_EIO, "cannot read %s: %s", path, strerror(errno));
    fprintf(to, "<p><img src=\"data:image/%s;base64,", type);
    put_base64(to, from);
    fputs("\" alt=\"", to);
    orr_html_text(to, text);
    fputs("\"></p>\n", to);
    fclose(from);
    return 0;
}
