/* sprintf and its relatives. */

#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-truncation"
#pragma GCC diagnostic ignored "-Wformat-overflow"

ESP(snprintf);
ESP(sprintf);
ESP(vsnprintf);
ESP(vsprintf);
ESP(asprintf);
extern int *esp___errno_location(void);

enum { SIZE = 20000 };
static char out_a[SIZE], out_b[SIZE];

#define COMPARE(chosen_format, ...)                                                                                    \
    do {                                                                                                               \
        const char *format = (chosen_format);                                                                          \
        int a = esp_snprintf(out_a, SIZE, format, ##__VA_ARGS__), b = snprintf(out_b, SIZE, format, ##__VA_ARGS__);    \
        CHECK(a == b && (b < 0 || !strcmp(out_a, out_b)), "\"%s\": %d \"%s\", %d \"%s\"", format, a, out_a, b, out_b); \
    } while (0)

/* A specification up to the length modifier; the width and precision are written out. */
static char *random_spec(const char *modifier, const char *conversions, int max_precision) {
    static char format[64];
    char *p = format;
    p += sprintf(p, "%s%%", one_in(4) ? "<" : "");
    while (one_in(2))
        *p++ = "-+ #0"[below(5)];
    if (one_in(2))
        p += sprintf(p, "%u", below(30));
    if (one_in(2))
        p += sprintf(p, one_in(8) ? "." : ".%u", below((unsigned)max_precision));
    sprintf(p, "%s%c%s", modifier, conversions[below((unsigned)strlen(conversions))], one_in(4) ? ">" : "");
    return format;
}

static void integers(void) {
    for (int i = 0, count = rounds(12000); i < count; i++) {
        long long value = one_in(10) ? 0 : (long long)random_bits() >> below(64);
        if (one_in(20))
            value = (long long[]){INT_MAX, INT_MIN, LLONG_MAX, LLONG_MIN, UINT_MAX, -1, 1, 10, 999999999,
                                  1000000000}[below(10)];
        const char *conversions = "diuoxX";
        COMPARE(random_spec("hh", conversions, 25), (int)value);
        COMPARE(random_spec("h", conversions, 25), (int)value);
        COMPARE(random_spec("", conversions, 25), (int)value);
        COMPARE(random_spec("l", conversions, 25), (long)value);
        COMPARE(random_spec("ll", conversions, 25), value);
        COMPARE(random_spec("j", conversions, 25), (intmax_t)value);
        COMPARE(random_spec("z", conversions, 25), (size_t)value);
        COMPARE(random_spec("t", conversions, 25), (ptrdiff_t)value);
    }
}

static void strings_and_characters(void) {
    for (int i = 0, count = rounds(6000); i < count; i++, release_all()) {
        char *text = random_string("ab%\xff", 12);
        COMPARE(random_spec("", "s", 15), text);
        int character = (int)below(127) + 1;
        COMPARE(random_spec("", "c", 2), 2 * character);
        COMPARE(random_spec("l", "s", 6), L"wide text");
        COMPARE(random_spec("l", "c", 2), character);
        int width = (int)below(40) - 20, precision = (int)below(20) - 5;
        COMPARE("[%*.*s]", width, precision, text);
        COMPARE("[%*d]", width, i);
        COMPARE("[%.*d]", precision, i);
        COMPARE("[%-0*.*x]", width, precision, i);
        COMPARE("%p|%20p|%-20p|", (void *)text, (void *)text, (void *)text);
    }
    COMPARE("%p %10p %-10p|", NULL, NULL, NULL);
    COMPARE("%s %.3s %10s", (char *)NULL, (char *)NULL, (char *)NULL);
    COMPARE("%% %d%%", 1);
    COMPARE("%'d", 1234567);
    COMPARE("", 0);
    CHECK(esp_snprintf(out_a, SIZE, "%ls", L"\x100") == -1 && *esp___errno_location() == EILSEQ, " ");
    CHECK(esp_snprintf(out_a, SIZE, "%2$d %1$d", 1, 2) == 3 && !strcmp(out_a, "2 1"), "%s", out_a);
    CHECK(esp_snprintf(out_a, SIZE, "%99999999999d", 1) == -1 && *esp___errno_location() == EOVERFLOW, " ");
    *esp___errno_location() = ENOENT;
    esp_snprintf(out_a, SIZE, "%m");
    CHECK(!strcmp(out_a, "No such file or directory"), "%s", out_a);

    signed char n1;
    short n2;
    int n3;
    long n4;
    long long n5;
    esp_snprintf(out_a, 3, "a%hhnb%hnc%nd%lne%lln", &n1, &n2, &n3, &n4, &n5);
    CHECK(n1 == 1 && n2 == 2 && n3 == 3 && n4 == 4 && n5 == 5 && !strcmp(out_a, "ab"), " ");
}

static int call_vsprintf(char *out, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = esp_vsprintf(out, format, list);
    va_end(list);
    return n;
}

static int call_vsnprintf(char *out, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = esp_vsnprintf(out, size, format, list);
    va_end(list);
    return n;
}

static void limits(void) {
    for (size_t size = 0; size < 20; size++, release_all()) {
        char buffer[32] = {0};
        memset(buffer, '#', sizeof buffer);
        char *a = exact(buffer, size), *b = exact(buffer, size);
        int m = call_vsnprintf(a, size, "%d %s %c", 1234, "text", 'x'), n = snprintf(b, size, "%d %s %c", 1234, "text", 'x');
        CHECK(m == n && !memcmp(a, b, size), "%zu", size);
    }
    CHECK(esp_snprintf(NULL, 0, "%5d", 1) == 5, " ");
    char *exactly = exact("#########", 6), *allocated;
    CHECK(esp_sprintf(exactly, "%s", "hello") == 5 && !strcmp(exactly, "hello"), " ");
    CHECK(call_vsprintf(exactly, "%d.%s", 12, "ab") == 5 && !strcmp(exactly, "12.ab"), " ");
    CHECK(esp_asprintf(&allocated, "%s-%d-%g", "abc", 7, 0.5) == 9 && !strcmp(allocated, "abc-7-0.5"), " ");
    free(allocated);
    /* More arguments than registers. */
    CHECK(esp_sprintf(out_a, "%d%d%d%d%d%d%d%d%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f%d%.0Lf%d", 1, 2, 3, 4, 5, 6, 7, 8, 1.,
                      2., 3., 4., 5., 6., 7., 8., 9., 9, 3.L, 4) == 20 &&
              !strcmp(out_a, "12345678123456789934"),
          "%s", out_a);
}

static double random_double(void) {
    static const double special[] = {0, -0., 1, 0.5, 1.5, 2.5, 0.125, 9.5, 99.5, 999999.5, 0.0001, 0.00001, 123456, 1e15,
                                     1e16, 1e17, 1e18, 9.9999995, 0.1, INFINITY, -INFINITY, NAN, 5e-324, 1.7976931348623157e308,
                                     2.2250738585072014e-308, 2.2250738585072009e-308, 4503599627370497.5};
    double value;
    uint64_t bits = random_bits();
    switch (below(5)) {
    case 0:
        return special[below(sizeof special / sizeof *special)];
    case 1:
        return (double)(int64_t)(bits >> below(64)) / (double)(1u << below(20));
    case 2:
        return (double)below(100000) / 1000;
    case 3:
        bits = (bits & 0x800fffffffffffff) | (uint64_t)(1023 - 40 + below(100)) << 52;
        break;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void doubles(void) {
    for (int i = 0, count = rounds(20000); i < count; i++) {
        double value = random_double();
        const char *spec = random_spec(one_in(4) ? "l" : "", "fFeEgGaA", i % 16 ? 22 : 400);
        /* glibc loses the zeros of %#g where rounding adds a digit: 999999.5 becomes 1.e+06. */
        if (strchr(spec, '#') && strpbrk(spec, "gG"))
            value = (double)below(1000) / 8;
        COMPARE(spec, value);
    }
    for (int i = 0, count = rounds(80); i < count; i++) {
        double value = random_double();
        COMPARE("%.1100f", value);
        COMPARE("%.1100e", value);
        COMPARE("%.1100g", value);
        COMPARE("%#.1100g", value);
    }
}

static void long_doubles(void) {
    for (int i = 0, count = rounds(1500); i < count; i++) {
        long double value = random_double();
        if (one_in(2))
            value = value / 3 + 1;
        if (i < count / 60) { /* all magnitudes: slow */
            uint64_t significand = random_bits() | 1ull << 63;
            uint16_t exponent = (uint16_t)(random_bits() % 0x7fff);
            memcpy(&value, &significand, 8);
            memcpy((char *)&value + 8, &exponent, 2);
        }
        const char *spec = random_spec("L", "fFeEgGaA", 30);
        if (strchr(spec, '#') && strpbrk(spec, "gG"))
            value = (double)below(1000) / 8;
        COMPARE(spec, value);
    }
    CHECK(esp_sprintf(out_a, "%#g", 999999.5) == 11 && !strcmp(out_a, "1.00000e+06"), "%s", out_a);
    COMPARE("%Lf", 1.18973149535723176502e4932L);
    COMPARE("%.20Le", 3.64519953188247460253e-4951L);
    COMPARE("%.12000Lf", 3.64519953188247460253e-4951L);
    COMPARE("%La %.1La %.0La", 0xf.ffffffffffffffp10L, 0xf.ffffffffffffffp10L, 0xf.8p0L);
}

void format_tests(void) {
    run("formatted integers", integers);
    run("formatted strings and characters", strings_and_characters);
    run("buffers and argument lists", limits);
    run("formatted doubles", doubles);
    run("formatted long doubles", long_doubles);
}
