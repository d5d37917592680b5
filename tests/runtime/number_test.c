/* strtol, strtod and their relatives. */

#include "check.h"
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>

ESP(atoi);
ESP(atol);
ESP(atoll);
ESP(atof);
ESP(strtol);
ESP(strtoul);
ESP(strtoll);
ESP(strtoull);
ESP(strtoimax);
ESP(strtoumax);
ESP(strtod);
ESP(strtof);
ESP(strtold);
long esp___isoc23_strtol(const char *, char **, int);
extern int *esp___errno_location(void);
#define esp_errno (*esp___errno_location())

/* ---- Integers ---- */

static char *integer_text(void) {
    static const char *const spaces[] = {"", "", "", " ", "\t\n", " \v\f\r "};
    static const char *const signs[] = {"", "", "-", "+", "--", "+ "};
    static const char *const prefixes[] = {"", "", "0", "0x", "0X", "0b", "00", "0x0"};
    static const char *const numbers[] = {
        "9223372036854775807", "9223372036854775808", "9223372036854775809", "18446744073709551615",
        "18446744073709551616", "2147483647", "2147483648", "2147483649", "4294967295", "4294967296",
        "7fffffffffffffff", "8000000000000000", "ffffffffffffffff", "10000000000000000", "777777777777777777777",
        "99999999999999999999999999999", "", "0", "zz", "g", "x",
    };
    static const char *const tails[] = {"", "", "", "x", " 1", ".5", "\xff", "_"};
    char text[128];
    char *random = random_string(one_in(2) ? "0123456789" : "0123456789abcdefABCDEFzZ", one_in(4) ? 30 : 5);
    snprintf(text, sizeof text, "%s%s%s%s%s", ONE_OF(spaces), ONE_OF(signs), ONE_OF(prefixes),
             one_in(3) ? ONE_OF(numbers) : random, ONE_OF(tails));
    return exact_string(text);
}

#define COMPARE_INTEGER(name)                                                                                          \
    do {                                                                                                               \
        char *end_a = NULL, *end_b = NULL;                                                                             \
        esp_errno = errno = 0;                                                                                         \
        uintmax_t a = (uintmax_t)esp_##name(text, &end_a, base), b = (uintmax_t)name(text, &end_b, base);              \
        int error_a = esp_errno, error_b = errno;                                                                      \
        /* With a wrong base the end is not set; sanitizers set it. */                                                 \
        CHECK(a == b && (end_a == end_b || !end_a) && error_a == error_b, #name "(\"%s\", %d): %jx, %jx; errno %d, %d", text,      \
              base, a, b, error_a, error_b);                                                                           \
    } while (0)

static void integers(void) {
    static const int bases[] = {0, 0, 10, 10, 10, 16, 16, 8, 2, 36, 3, 7, 11, 1, -1, 37};
    for (int i = 0, count = rounds(15000); i < count; i++, release_all()) {
        char *text = integer_text();
        int base = bases[below(sizeof bases / sizeof *bases)];
        COMPARE_INTEGER(strtol);
        COMPARE_INTEGER(strtoul);
        COMPARE_INTEGER(strtoll);
        COMPARE_INTEGER(strtoull);
        COMPARE_INTEGER(strtoimax);
        COMPARE_INTEGER(strtoumax);
        CHECK(esp_atoi(text) == atoi(text) && esp_atol(text) == atol(text) && esp_atoll(text) == atoll(text), "\"%s\"",
              text);
    }
    char *end;
    CHECK(esp___isoc23_strtol("-0b101x", &end, 0) == -5 && *end == 'x', " ");
    CHECK(esp___isoc23_strtol("0b2", &end, 0) == 0 && *end == 'b', " ");
}

/* ---- Floats ---- */

static int same_double(double a, double b) {
    return (isnan(a) && isnan(b) && signbit(a) == signbit(b)) || !memcmp(&a, &b, sizeof a);
}

static int same_float(float a, float b) {
    return (isnan(a) && isnan(b) && signbit(a) == signbit(b)) || !memcmp(&a, &b, sizeof a);
}

static int same_long_double(long double a, long double b) {
    return (isnan(a) && isnan(b) && signbit(a) == signbit(b)) || !memcmp(&a, &b, 10);
}

static void compare_floats(const char *text) {
    char *end_a, *end_b;
    int error_a, error_b;

    esp_errno = errno = 0;
    double a = esp_strtod(text, &end_a), b = strtod(text, &end_b);
    error_a = esp_errno, error_b = errno;
    CHECK(same_double(a, b) && end_a == end_b && error_a == error_b, "strtod(\"%s\"): %a, %a; errno %d, %d", text, a, b,
          error_a, error_b);

    esp_errno = errno = 0;
    float c = esp_strtof(text, &end_a), d = strtof(text, &end_b);
    error_a = esp_errno, error_b = errno;
    CHECK(same_float(c, d) && end_a == end_b && error_a == error_b, "strtof(\"%s\"): %a, %a; errno %d, %d", text, c, d,
          error_a, error_b);

    esp_errno = errno = 0;
    long double e = esp_strtold(text, &end_a), f = strtold(text, &end_b);
    error_a = esp_errno, error_b = errno;
    CHECK(same_long_double(e, f) && end_a == end_b && error_a == error_b, "strtold(\"%s\"): %La, %La; errno %d, %d",
          text, e, f, error_a, error_b);
    CHECK(same_double(esp_atof(text), atof(text)), "\"%s\"", text);
}

static void float_texts(void) {
    static const char *const spaces[] = {"", "", "", " ", "\t\n"};
    static const char *const signs[] = {"", "", "-", "+", "--"};
    static const char *const points[] = {"", ".", ".", ".."};
    static const char *const exponents[] = {"", "", "", "e", "e+", "E-", "e1", "e-1", "E+5", "e-22", "e300", "e-330",
                                            "e99999999999", "e-99999999999", "p3"};
    static const char *const tails[] = {"", "", "x", "e", " "};
    for (int i = 0, count = rounds(10000); i < count; i++, release_all()) {
        char text[256];
        char *whole = random_string("0123456789", one_in(4) ? 30 : 4);
        char *fraction = random_string("0123456789", one_in(4) ? 30 : 4);
        snprintf(text, sizeof text, "%s%s%s%s%s%s%s", ONE_OF(spaces), ONE_OF(signs), whole, ONE_OF(points), fraction,
                 ONE_OF(exponents), ONE_OF(tails));
        compare_floats(exact_string(text));
    }
    for (int i = 0, count = rounds(6000); i < count; i++, release_all()) {
        char text[256];
        char *whole = random_string("0123456789abcdefABCDEF", one_in(3) ? 20 : 3);
        char *fraction = random_string("0123456789abcdef0000", one_in(3) ? 20 : 3);
        snprintf(text, sizeof text, "%s0x%s%s%s", ONE_OF(signs), whole, ONE_OF(points), fraction);
        if (one_in(2))
            snprintf(text + strlen(text), 16, "p%d", (int)below(one_in(2) ? 40 : 2400) - 1200);
        compare_floats(exact_string(text));
    }
    static const char *const special[] = {
        "inf", "INF", "-Infinity", "infinit", "infinityx", "nan", "-NaN", "nan(", "nan()", "nan(0)x", "nan(a b)",
        "nan(_1z)", "na", "in", "", "-", ".", "-.", "e5", ".e5", "0x", "0x.", "0x.p1", "0xp1", "0x1p", "0x1p+",
        "1e", "1e+", "-0", "-0.0e-99999", "0e99999999", "0x0p99999", "0x1p-1074", "0x1p-1075", "0x1.8p-1075",
        "0x1p-16445", "0x1p-16446", "0x1.8p-16446", "0x1p16383", "0x1p16384", "0x0.000000000000000000000001p1000",
        "0x1.fffffffffffff7p1023", "0x1.fffffffffffff8p1023", "0x1.fffffep127", "0x1.ffffffp127",
        "1.7976931348623157e308", "1.7976931348623158e308", "1.797693134862315807e308", "1.797693134862315808e308",
        "2.2250738585072011e-308", "2.2250738585072014e-308", "4.9406564584124654e-324", "2.4703282292062327e-324",
        "2.4703282292062328e-324", "1e4932", "1.18973149535723176506e4932", "1.2e4932", "3.6e-4951", "1.8e-4951",
        "9007199254740993", "9007199254740992.5", "9007199254740993.00000000000000000000000000000000000000000001",
    };
    for (unsigned i = 0; i < sizeof special / sizeof *special; i++, release_all())
        compare_floats(exact_string(special[i]));
}

/* Printed floats, and decimal texts exactly between two of them. */
static void float_neighbours(void) {
    for (int i = 0, count = rounds(1000); i < count; i++, release_all()) {
        uint64_t bits = random_bits();
        if (one_in(4))
            bits &= 0x800fffffffffffff;
        else if (one_in(2))
            bits = (bits & 0x800fffffffffffff) | (uint64_t)(1023 - 60 + below(120)) << 52;
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        char text[1400];
        snprintf(text, sizeof text, "%.*e", (int)below(20), value);
        compare_floats(exact_string(text));
        snprintf(text, sizeof text, "%a", value);
        compare_floats(exact_string(text));

        long double halfway = (long double)value + ((long double)nextafter(value, INFINITY) - (long double)value) / 2;
        snprintf(text, sizeof text, "%.1100Le", halfway);
        compare_floats(text);
        char *exponent = strchr(text, 'e');
        if (exponent)
            exponent[-1] = '1';
        compare_floats(text);
        float narrow = (float)value;
        snprintf(text, sizeof text, "%.300f", (double)narrow + ((double)nextafterf(narrow, 0) - (double)narrow) / 2);
        compare_floats(text);
    }
    char zeros[3000];
    memset(zeros, '0', sizeof zeros);
    strcpy(zeros + sizeof zeros - 8, "12.5e0");
    compare_floats(zeros);
    zeros[1] = '.';
    strcpy(zeros + sizeof zeros - 16, "125e2990");
    compare_floats(zeros);
}

void number_tests(void) {
    run("integers from text", integers);
    run("floats from text", float_texts);
    run("floats and their neighbours", float_neighbours);
}
