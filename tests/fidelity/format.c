/* printf and its relatives: to memory, where every byte is compared, and to standard output, where the text is. */

#include "cases.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <wchar.h>

static const size_t capacities[] = {0, 1, 5, 120};

static void formatted(int count) {
    number((uint64_t)(int64_t)count);
    bytes(area, sizeof area);
    line();
}

#define INTO(size, ...)                                                                                                \
    do {                                                                                                               \
        fill_area();                                                                                                   \
        formatted(snprintf((char *)area, size, __VA_ARGS__));                                                          \
    } while (0)

static const char *const integer_formats[] = {
    "%d", "%i", "%5d", "%-5d|", "%05d", "%+d", "% d", "%+ d", "%.0d", "%.3d", "%8.3d", "%-8.3d|", "%08.3d", "%+.0d", "%'d",
    "%u", "%o", "%x", "%X", "%#o", "%#x", "%#X", "%#08x", "%#.5x", "%#.0o", "%#.3o", "%08x", "%-#8o|", "%.0x", "%#8x", "%hhd", "%hd", "%hhu",
    "%hx", "%hho", "%+5hhd", "%Id", "% 05d", "%-05d|", "%+x", "% u", "%c", "%5c", "%-5c|", "%05c", "%.0c",
};
static const char *const long_formats[] = {
    "%ld", "%lld", "%jd", "%zd", "%td", "%qd", "%Ld", "%lu", "%llu", "%ju", "%zu", "%lx", "%llX", "%#lo", "%020ld",
    "%-25lld|", "%+.20ld", "%25.20lu", "%#.20llx", "%lo", "%Lx", "%'lld",
};

CASES(snprintf) {
    EACH(format, integer_formats) EACH(x, special_ints) INTO(120, format, x);
    EACH(format, long_formats) EACH(x, special_longs) INTO(120, format, x);
    EACH(size, capacities) INTO(size, "%s %d %c", "abcdef", 12345, 'x');
    INTO(0, "nothing");
    formatted(snprintf(NULL, 0, "%d", 123456));
    INTO(120, "");
    INTO(120, "%%%5%|%-5%|%05%");
}

CASES_OF(snprintf, stars) {
    static const int widths[] = {-12, -1, 0, 1, 12};
    EACH(width, widths) EACH(precision, widths) {
        INTO(120, "%*.*d|", width, precision, 42);
        INTO(120, "%0*.*x|", width, precision, 42);
        INTO(120, "%*.*s|", width, precision, "abc");
        INTO(120, "%*.*f|", width, precision, 2.625);
        INTO(120, "%-*d|", width, 7);
    }
}

CASES_OF(snprintf, texts) {
    static const char *const formats[] = {"%s", "%5s", "%-5s|", "%.2s", "%5.1s", "%-5.1s|", "%.0s", "%05s", "%.99s", "%#s"};
    static const char open[3] = {'x', 'y', 'z'};
    EACH(format, formats) EACH(text, special_texts) INTO(120, format, text);
    EACH(format, formats) INTO(120, format, (char *)NULL);
    INTO(120, "%.3s", open);
    INTO(120, "%ls|%5ls|%-5ls|%.2ls|%.0ls", L"abc", L"ab", L"c", L"xyz", L"q");
    INTO(120, "%S|%C|%lc", L"abc", L'd', (wint_t)L'e');
    INTO(120, "%lc|%c", (wint_t)0, 0);
    INTO(120, "%.6ls|%.5ls", (wchar_t *)NULL, (wchar_t *)NULL);
    /* Not in the C locale. */
    INTO(120, "a%lsb", L"x\x100");
    INTO(120, "a%lcb", (wint_t)0x100);
    INTO(120, "%.1ls", L"x\x100");
    errno = ENOENT;
    INTO(120, "%m|%5m|%-30m|%.3m");
    INTO(120, "%p|%20p|%-20p|", (void *)0x1234, (void *)0xfedcba98, (void *)0x10);
    INTO(120, "%p|%10p|%-10p|", NULL, NULL, NULL);
}

CASES_OF(snprintf, counts) {
    signed char c = -1;
    short s = -1;
    int i = -1;
    long l = -1;
    long long ll = -1;
    fill_area();
    formatted(snprintf((char *)area, 4, "abcdef%hhn%d%hn%s%n%ln%lln", &c, 12, &s, "xyz", &i, &l, &ll));
    number((uint64_t)c);
    number((uint64_t)s);
    number((uint64_t)i);
    number((uint64_t)l);
    value((uint64_t)ll);
}

CASES_OF(snprintf, positions) {
    INTO(120, "%2$d %1$d", 1, 2);
    INTO(120, "%1$s-%1$s", "abc");
    INTO(120, "%3$s %1$d %2$f", 7, 2.5, "x");
    INTO(120, "%1$*2$d|%1$-*2$d|", 42, 6);
    INTO(120, "%1$.*2$f|%3$*2$.*2$f", 2.625, 2, 1.0 / 3);
    INTO(120, "%2$05d %1$+d %2$#x", 5, 31);
    INTO(120, "%2$ld %1$hhd %3$lld %4$c", 300, 1l << 40, 1ll << 50, 'q');
    INTO(120, "%1$d %2$s %1$x %2$.1s", 255, "yes");
    INTO(120, "%9$d%8$d%7$d%6$d%5$d%4$d%3$d%2$d%1$d", 1, 2, 3, 4, 5, 6, 7, 8, 9);
    INTO(120, "%2$Lf %1$d", 3, 1.5L);
    INTO(120, "%1$p %2$s", (void *)0x10, "t");
    int n = 0;
    INTO(120, "%2$s%1$n", &n, "four");
    value((uint64_t)n);
    INTO(120, "%1$d%%%2$d", 1, 2);
}

static const double doubles[] = {
    0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, 0.1, 0.3, 1.0 / 3, 2.0 / 3, 9.5, 9.995, 9.9999995, 99999.95, 123456, 1234567, 999999.5,
    0.0001, 0.00001, 0.000099999995, 1e10, 1e15, 1e16, 1e17, 123456789012345678, 1e22, 1e23, 1e100, 1e-5, 1e-10, 1e-100, DBL_MAX, DBL_MIN,
    0x1p-1074, 0x1p-1022, 0x0.fffffffffffffp-1022, 4503599627370496.5, 9007199254740993, 2.675, 1.005, 0.125, 0.375, 1e308, INFINITY, -INFINITY, 3.14159265358979,
    100, 1000000, 0x1.8p1, 0x1.fffffffffffffp0, 5e-324,
};

static const char *const real_formats[] = {
    "%f", "%.0f", "%.1f", "%.2f", "%.15f", "%#.0f", "%12f", "%-12f|", "%012f", "%+f", "% f", "%F", "%e", "%.0e", "%.1e", "%.17e", "%#.0e",
    "%15.3e", "%-15.3e|", "%015.3e", "%E", "%g", "%.0g", "%.1g", "%.3g", "%.17g", "%#g", "%#.0g", "%12g", "%-12g|", "%012g", "%+G", "%a",
    "%A", "%.0a", "%.1a", "%.3a", "%#.0a", "%20a", "%-20a|", "%020a", "%+a", "%.20a", "%lf", "%lg",
};

/* glibc 2.36 drops the zeros of 1.00000e+06 here, which it should keep. */
static int is_wrong_natively(const char *format, double x) {
    return x == 999999.5 && !strcmp(format, "%#g");
}

CASES_OF(snprintf, reals) {
    EACH(format, real_formats) EACH(x, doubles) if (!is_wrong_natively(format, x)) {
        char out[400];
        int n = snprintf(out, sizeof out, format, x);
        number((uint64_t)n);
        value_of_text(out);
    }
    /* The sign of these is given. */
    EACH(format, real_formats) {
        INTO(120, format, __builtin_nan(""));
        INTO(120, format, -__builtin_nan(""));
    }
}

CASES_OF(snprintf, long_doubles) {
    static const char *const formats[] = {"%Lf", "%.0Lf", "%Le", "%.20Le", "%Lg", "%.25Lg", "%La", "%LA", "%.0La", "%.3La", "%025La", "%#Lg"};
    static const long double numbers[] = {
        0, -0.0L, 1, -1.5L, 0.1L, 1.0L / 3, 1e30L, 1e-30L, LDBL_MAX, LDBL_MIN, 0x1p-16445L, 0xf.fffffffffffffffp0L, 1e4000L, INFINITY,
    };
    static char out[12000];
    EACH(format, formats) EACH(x, numbers) {
        int n = snprintf(out, sizeof out, format, x);
        number((uint64_t)n);
        value_of_text(out);
    }
}

/* ---- The relatives ---- */

static int through_vsnprintf(char *to, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(to, size, format, list);
    va_end(list);
    return n;
}

CASES(vsnprintf) {
    EACH(size, capacities) {
        fill_area();
        formatted(through_vsnprintf((char *)area, size, "%d %s %f", 12, "text", 2.5));
    }
}

CASES(sprintf) {
    EACH(x, special_ints) {
        fill_area();
        formatted(sprintf((char *)area, "<%d|%x|%s>", x, x, "abc"));
    }
    fill_area();
    formatted(sprintf((char *)area, "%2$s %1$s", "world", "hello"));
}

static int through_vsprintf(char *to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsprintf(to, format, list);
    va_end(list);
    return n;
}

CASES(vsprintf) {
    fill_area();
    formatted(through_vsprintf((char *)area, "%s %5.2f", "x", 1.005));
}

CASES(asprintf) {
    char *text = NULL;
    EACH(x, special_longs) {
        number((uint64_t)asprintf(&text, "%lld %s", x, "abc"));
        value_of_text(text);
        free(text);
    }
}

static int through_vasprintf(char **to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vasprintf(to, format, list);
    va_end(list);
    return n;
}

CASES(vasprintf) {
    char *text = NULL;
    number((uint64_t)through_vasprintf(&text, "%2$d %1$s", "abc", 5));
    value_of_text(text);
    free(text);
}

/* ---- To standard output: the text is part of the log ---- */

#define PRINTED(...)                                                                                                   \
    do {                                                                                                               \
        flush();                                                                                                       \
        int n = printf(__VA_ARGS__);                                                                                   \
        fflush(stdout);                                                                                                \
        number((uint64_t)(int64_t)n);                                                                                  \
        line();                                                                                                        \
    } while (0)

CASES(printf) {
    EACH(format, integer_formats) if (!strchr(format, 'c')) EACH(x, special_ints) PRINTED(format, x);
    EACH(format, long_formats) EACH(x, special_longs) PRINTED(format, x);
    EACH(format, real_formats) EACH(x, doubles) if (!is_wrong_natively(format, x)) PRINTED(format, x);
    EACH(format, real_formats) PRINTED(format, __builtin_nan(""));
    EACH(format, real_formats) PRINTED(format, -__builtin_nan(""));
    PRINTED("%c%5c%-5c|%05c", 'a', 'b', 'c', 'd');
    PRINTED("%s|%5s|%-5s|%.2s|%.0s|%05s", "abc", "de", "f", "ghi", "j", "k");
    PRINTED("%s|%.3s|%.6s|%10s", (char *)NULL, (char *)NULL, (char *)NULL, (char *)NULL);
    PRINTED("%p|%20p|%-20p|%p", (void *)0x1234, (void *)0x7edcba987654, (void *)0x10, NULL);
    PRINTED("%2$d %1$d", 1, 2);
    PRINTED("%3$s %1$d %2$f", 7, 2.5, "x");
    PRINTED("%1$*2$d|%1$-*2$d|", 42, 6);
    PRINTED("%2$Lf %1$d", 3, 1.5L);
    PRINTED("%Lf %Le %Lg %La", 1.5L, 1e30L, 0.1L, 0.1L);
    PRINTED("%ls|%5ls|%-5ls|%.2ls|%S|%C|%lc", L"abc", L"ab", L"c", L"xyz", L"ab", L'd', (wint_t)'e');
    int count = 0;
    signed char small = 0;
    PRINTED("abc%n%d%hhn", &count, 5, &small);
    number((uint64_t)small);
    value((uint64_t)count);
    errno = ENOENT;
    PRINTED("%m|%30m|%.3m");
    PRINTED("%%|%5%|");
    PRINTED("%*d|%-*d|%.*f", 5, 42, 6, 43, 3, 1.0);
    PRINTED("%*d|%.*d|", -5, 42, -1, 43);
    PRINTED("%5000d%.4500d", 1, 2);
    PRINTED("");
}

static int through_vprintf(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vprintf(format, list);
    va_end(list);
    return n;
}

CASES(vprintf) {
    flush();
    int n = through_vprintf("%d %s %.2f\n", 1, "two", 3.0);
    fflush(stdout);
    value((uint64_t)n);
}

static int through_vfprintf(FILE *stream, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vfprintf(stream, format, list);
    va_end(list);
    return n;
}

CASES(vfprintf) {
    flush();
    int n = through_vfprintf(stdout, "%d %s %.2f\n", 1, "two", 3.0);
    fflush(stdout);
    value((uint64_t)n);
}

CASES(fprintf) {
    flush();
    int n = fprintf(stdout, "%d %s %.2f\n", 1, "two", 3.0);
    fflush(stdout);
    value((uint64_t)n);
}

static int through_vdprintf(int fd, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vdprintf(fd, format, list);
    va_end(list);
    return n;
}

CASES(vdprintf) {
    flush();
    value((uint64_t)through_vdprintf(1, "%d %s %.2f\n", 1, "two", 3.0));
}

CASES(dprintf) {
    flush();
    value((uint64_t)dprintf(1, "%d %s %.2f\n", 1, "two", 3.0));
}
