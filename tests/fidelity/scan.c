/* sscanf and its relatives. Streams are those of stdio.c: standard input is not part of it. */

#include "cases.h"
#include <stdio.h>
#include <wchar.h>

static const char *const inputs[] = {
    "", " ", "0", "12", "-12", "+7", "  42 rest", "0x1f", "0xg", "0x", "017", "089", "abc", "a", "-", "+-1", "1.5", "-.5e3x", "1e", "nan", "-inf",
    "infinity", "infin", "9223372036854775808", "99999999999999999999", "-99999999999999999999", "4294967296", "12abc", "12 34", "\t\n7", "a b c", "%", "x=5",
    "0x1p3", "1,2", "300", "70000", "0b11", "\xff", "]", "a-z", "^",
};

static void fill(void) {
    fill_area();
}

/* The memory behind two arguments. C says nothing about errno here, and glibc sets it or not by what follows. */
static void scanned(int count) {
    errno = 0;
    number((uint64_t)(int64_t)count);
    bytes(area, 48);
    line();
}

#define SCAN(text, format)                                                                                             \
    do {                                                                                                               \
        fill();                                                                                                        \
        scanned(sscanf(text, format, area, area + 24));                                                                \
    } while (0)

CASES(sscanf) {
    static const char *const formats[] = {
        "%d", "%i", "%u", "%o", "%x", "%X", "%3d", "%1d", "%ld", "%lld", "%hd", "%hhd", "%lx", "%hhx", "%jd", "%zu", "%td", "%qd", "%Ld",
        "%f", "%lf", "%Lf", "%e", "%lg", "%a", "%4lf", "%c", "%3c", "%s", "%2s", "%[abc]", "%[^ ]", "%[a-z]", "%[]]", "%[^]]", "%[a-]", "%2[0-9]",
        "%*d%s", "%*s%d", "%d%s", "%d %d", "%d%n", "%n%d", "%s%n", "%%%d", " %c", "x=%d", "%d,%d", "%p", "%hn%d", "%*2d%d", "%d%%", "%2d%2d", "%s %s", "%[0-9]%s",
    };
    EACH(text, inputs) EACH(format, formats) SCAN(text, format);
    for (int i = 0; i < 400; i++) {
        char text[24];
        random_text(text, "0123456789 -+.exabn", 20);
        SCAN(text, formats[below(COUNT(formats))]);
    }
}

CASES_OF(sscanf, positions) {
    SCAN("1 2", "%2$d %1$d");
    SCAN("abc 7", "%1$s %2$d");
    SCAN("abc 7", "%2$3s %1$d");
    SCAN("5", "%2$d");
    SCAN("x", "%1$d");
    SCAN("12 x", "%2$d%1$n");
}

static void allocated(int count, void *text, size_t size) {
    number((uint64_t)(int64_t)count);
    if (text)
        bytes(text, size);
    else
        word(" null");
    line();
    free(text);
}

CASES_OF(sscanf, allocation) {
    char *text = (char *)area, *second = (char *)area;
    int count = sscanf("abc def", "%ms", &text);
    allocated(count, text, 4);
    count = sscanf("", "%ms", &text);
    allocated(count, text, 1);
    count = sscanf("   ", "%ms", &text);
    allocated(count, text, 1);
    count = sscanf("abc def", "%2ms", &text);
    allocated(count, text, 3);
    count = sscanf("abc123", "%m[a-z]", &text);
    allocated(count, text, 4);
    count = sscanf("123", "%m[a-z]", &text);
    allocated(count, text, 1);
    count = sscanf("abcdef", "%4mc", &text);
    allocated(count, text, 4);
    count = sscanf("abc", "%mc", &text);
    allocated(count, text, 1);
    count = sscanf("a b", "%ms %ms", &text, &second);
    number((uint64_t)count);
    allocated(count, text, 2);
    allocated(count, second, 2);
    count = sscanf("a", "%ms %ms", &text, &second);
    allocated(count, text, 2);
    allocated(count, second, 1);
    char many[400];
    memset(many, 'q', 399);
    many[399] = 0;
    count = sscanf(many, "%ms", &text);
    allocated(count, text, 400);
    count = sscanf("abc", "%*ms%n", (int *)area);
    allocated(count, NULL, 0);
    wchar_t *wide;
    count = sscanf("abc", "%mls", &wide);
    allocated(count, wide, 16);
}

CASES_OF(sscanf, wide) {
    SCAN("abc d", "%ls");
    SCAN("abc d", "%S");
    SCAN("abc d", "%2lc");
    SCAN("abc d", "%C");
    SCAN("abc d", "%l[a-b]");
    SCAN("  abc", "%3ls");
    SCAN("", "%ls");
}

static int through_vsscanf(const char *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsscanf(text, format, list);
    va_end(list);
    return n;
}

CASES(vsscanf) {
    EACH(text, inputs) {
        fill();
        scanned(through_vsscanf(text, "%d %s", area, area + 24));
    }
    fill();
    scanned(through_vsscanf("3 x", "%2$d %1$s", area, area + 24));
}

/* The names to which the header redirects, with the standard that a program asks for. */
int __isoc99_sscanf(const char *, const char *, ...);
int __isoc99_vsscanf(const char *, const char *, va_list);

#ifdef NATIVE
/* They differ in the prefix 0b only, which ours do not read. */
static int __isoc23_vsscanf(const char *text, const char *format, va_list list) {
    return __isoc99_vsscanf(text, format, list);
}

static int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = __isoc99_vsscanf(text, format, list);
    va_end(list);
    return n;
}
#else
int __isoc23_sscanf(const char *, const char *, ...);
int __isoc23_vsscanf(const char *, const char *, va_list);
#endif

static int through(int (*function)(const char *, const char *, va_list), const char *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = function(text, format, list);
    va_end(list);
    return n;
}

#define STANDARD(prefix)                                                                                               \
    CASES(prefix##sscanf) {                                                                                            \
        EACH(text, inputs) {                                                                                           \
            fill();                                                                                                    \
            scanned(prefix##sscanf(text, "%i%s", area, area + 24));                                                    \
            fill();                                                                                                    \
            scanned(prefix##sscanf(text, "%lf", area));                                                                \
        }                                                                                                              \
    }                                                                                                                  \
    CASES(prefix##vsscanf) {                                                                                           \
        EACH(text, inputs) {                                                                                           \
            fill();                                                                                                    \
            scanned(through(prefix##vsscanf, text, "%d %s", area, area + 24));                                         \
        }                                                                                                              \
    }

STANDARD(__isoc99_)
STANDARD(__isoc23_)
