/* sscanf. */

#include "check.h"
#include <stddef.h>

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat"

ESP(sscanf);

enum { ITEMS = 5, ITEM_SIZE = 64 };

static void compare(const char *text, const char *format) {
    static _Alignas(16) char a[ITEMS][ITEM_SIZE], b[ITEMS][ITEM_SIZE];
    memset(a, '#', sizeof a);
    memset(b, '#', sizeof b);
    int m = esp_sscanf(text, format, a[0], a[1], a[2], a[3], a[4]);
    int n = sscanf(text, format, b[0], b[1], b[2], b[3], b[4]);
    CHECK(m == n && !memcmp(a, b, sizeof a), "sscanf(\"%s\", \"%s\"): %d, %d", text, format, m, n);
}

static void random_formats(void) {
    static const char *const specs[] = {
        "%d", "%i", "%u", "%x", "%X", "%o", "%ld", "%lld", "%hd", "%hhd", "%hhu", "%zu", "%zd", "%jd", "%td", "%lx", "%llx",
        "%3d", "%1d", "%2x", "%3i", "%2u", "%*d", "%*3d", "%c", "%3c", "%*c", "%s", "%3s", "%*s", "%1s",
        "%[abc]", "%[^abc]", "%[a-c0-9]", "%3[a-z]", "%*[a-z]", "%[]x]", "%[^]x]", "%[a-]", "%[-a]", "%[a-c-e]", "%[z-a]",
        "%n", "%hhn", "%ln", "%f", "%lf", "%4f", "%5lf", "%e", "%g", "%la", "%*f", "%Lf",
    };
    static const char *const literals[] = {"", "", "", " ", ",", "x", "%%", "\n", "a"};
    static const char *const inputs[] = {
        "1", "12", "-12", "+7", "007", "0x1f", "0X1F", "123456789012", "99999999999999999999", "-99999999999999999999",
        "a", "abc", "cab", "xyz", "]x", "-a", "de", "1.5", "-2.25e3", ".5", "5.", "1e5", "1e-5", "inf", "-infinity", "nan",
        "3.14159", "0", "-", "+", ".", "-0", "2147483648", "4294967296", "0x1.8p3", "\xff",
    };
    static const char *const separators[] = {"", "", " ", "  ", ",", "\n", "x", "%", "\t"};
    for (int i = 0, count = rounds(40000); i < count; i++, release_all()) {
        char format[128] = "", text[128] = "";
        for (unsigned n = below(ITEMS) + 1; n--;) {
            strcat(format, ONE_OF(literals));
            strcat(format, ONE_OF(specs));
        }
        strcat(format, ONE_OF(literals));
        for (unsigned n = below(6); n--;) {
            strcat(text, ONE_OF(separators));
            strcat(text, ONE_OF(inputs));
        }
        strcat(text, ONE_OF(separators));
        compare(exact_string(text), exact_string(format));
    }
}

static void chosen_formats(void) {
    static const char *const cases[][2] = {
        {"", "%d"}, {"", ""}, {"", "x"}, {" ", " "}, {" ", "%d"}, {"-", "%d"}, {"- 1", "%d"}, {"+-1", "%d"}, {"x", "%d"},
        {"12 ab 3", "%d %s %d"}, {"2024-11-15", "%d-%d-%d"}, {"key=value", "%[^=]=%s"}, {"a:b", "%[^:]:%c"},
        {"0x", "%i"}, {"0xg", "%x"}, {"08", "%i"}, {"09", "%d"}, {"1 2", "%*d%n%d"}, {"100%", "%d%%"}, {"100 %", "%d%%"},
        {"18446744073709551616", "%llu"}, {"-1", "%u"}, {"-1", "%hhu"}, {"300", "%hhd"}, {"0b11", "%i"},
        {"000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007", "%d"},
        {"1e", "%f"}, {"1e+", "%f"}, {"1e+5", "%f"}, {"1.5.5", "%f%f"}, {"infi", "%f"}, {"infx", "%f%c"}, {"nanx", "%f%c"},
        {"na", "%f"}, {"0x", "%f"}, {"0x1p", "%f"}, {".", "%f"}, {"-.5", "%f"}, {"12345", "%2d%2d%2d"}, {"abc", "%5c"},
        {"0x12", "%p"}, {"a b", "%s%c%s"}, {"  x", "%c"}, {"1,2,3", "%d,%d,%d"}, {"1.25", "%3lf%d"}, {"0.1e1", "%3lf%s"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++, release_all())
        compare(exact_string(cases[i][0]), exact_string(cases[i][1]));
}

void scan_tests(void) {
    run("scanned random formats", random_formats);
    run("scanned chosen formats", chosen_formats);
}
