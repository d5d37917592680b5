/* stdlib.h and inttypes.h: arithmetic, numbers from text, random numbers, sorting. */

#include "cases.h"
#include <inttypes.h>

#define ABSOLUTE(name, type, array)                                                                                    \
    CASES(name) {                                                                                                      \
        EACH(x, array) value((uint64_t)name((type)x));                                                                 \
    }

ABSOLUTE(abs, int, special_ints)
ABSOLUTE(labs, long, special_longs)
ABSOLUTE(llabs, long long, special_longs)
ABSOLUTE(imaxabs, intmax_t, special_longs)

#define DIVISION(name, type, array, smallest)                                                                          \
    CASES(name) {                                                                                                      \
        EACH(x, array) EACH(y, array) if (y && !(x == smallest && y == -1)) {                                          \
            name##_t result = name((type)x, (type)y);                                                                  \
            number((uint64_t)result.quot);                                                                             \
            value((uint64_t)result.rem);                                                                               \
        }                                                                                                              \
    }

DIVISION(div, int, special_ints, INT_MIN)
DIVISION(ldiv, long, special_longs, LONG_MIN)
DIVISION(lldiv, long long, special_longs, LLONG_MIN)
DIVISION(imaxdiv, intmax_t, special_longs, INTMAX_MIN)

/* ---- Integers from text ---- */

static const char *const integers[] = {
    "", " ", "-", "+", "+-1", "--1", "0", "-0", "1", " 12x", "\t\n\v\f\r 7", "00012", "-12", "+12", "0x", "0x1F", "0X1fg",
    "-0xff", "0xg", "08", "0778", "0b101", "0B2", "zZ", "z", "9", "129", "12_", "1 2", "\xff""1", "\xa0""1", "1e5", "2147483647", "2147483648",
    "-2147483648", "-2147483649", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
    "-18446744073709551615", "-18446744073709551616", "99999999999999999999999999", "-99999999999999999999999999",
    "0x7fffffffffffffff", "0x8000000000000000", "0xffffffffffffffff", "0x10000000000000000", "7777777777777777777777",
    "1777777777777777777777", "zzzzzzzzzzzzzzzzzzzz", "000000000000000000000000000000000000000001",
};
static const int bases[] = {0, 10, 16, 8, 2, 36, 3, 11, 1, 37, -1, INT_MAX, INT_MIN};

static void parsed(uint64_t result, const char *end, const char *text) {
    number(result);
    place(end, text);
    line();
}

#define PARSE(name)                                                                                                    \
    CASES(name) {                                                                                                      \
        EACH(text, integers) EACH(base, bases) {                                                                       \
            char *end = (char *)text + 1;                                                                              \
            uint64_t result = (uint64_t)name(text, &end, base);                                                        \
            parsed(result, end, text);                                                                                 \
            parsed((uint64_t)name(text, NULL, base), NULL, text);                                                      \
        }                                                                                                              \
        for (int i = 0; i < 500; i++) {                                                                                \
            char text[32], *end;                                                                                       \
            random_text(text, i % 2 ? "0123456789" : "0189xabzB-+ ", 24);                                              \
            int base = bases[below(8)];                                                                                \
            uint64_t result = (uint64_t)name(text, &end, base);                                                        \
            parsed(result, end, text);                                                                                 \
        }                                                                                                              \
    }

PARSE(strtol)
PARSE(strtoll)
PARSE(strtoul)
PARSE(strtoull)
PARSE(strtoimax)
PARSE(strtoumax)

/* C23 has the prefix 0b besides. */
#ifdef NATIVE
static const char *without_prefix(const char *text, int base, char *copy) {
    const char *s = text + strspn(text, " \t\n\v\f\r");
    s += *s == '-' || *s == '+';
    if ((base != 0 && base != 2) || s[0] != '0' || (s[1] | 32) != 'b' || (s[2] != '0' && s[2] != '1'))
        return NULL;
    size_t before = (size_t)(s - text);
    memcpy(copy, text, before);
    strcpy(copy + before, s + 2);
    return copy;
}

#define C23(name, type)                                                                                                \
    static type __isoc23_##name(const char *text, char **end, int base) {                                              \
        char copy[64], *copy_end;                                                                                      \
        if (!without_prefix(text, base, copy))                                                                         \
            return name(text, end, base);                                                                              \
        type result = name(copy, &copy_end, 2);                                                                        \
        if (end)                                                                                                       \
            *end = (char *)text + (copy_end - copy) + 2;                                                               \
        return result;                                                                                                 \
    }
#else
#define C23(name, type) type __isoc23_##name(const char *, char **, int);
#endif

C23(strtol, long)
C23(strtoll, long long)
C23(strtoul, unsigned long)
C23(strtoull, unsigned long long)
C23(strtoimax, intmax_t)
C23(strtoumax, uintmax_t)
#ifndef MUSL
PARSE(__isoc23_strtol)
PARSE(__isoc23_strtoll)
PARSE(__isoc23_strtoul)
PARSE(__isoc23_strtoull)
PARSE(__isoc23_strtoimax)
PARSE(__isoc23_strtoumax)
#endif

/* Out of range it is undefined: those that fit a long, and errno is left out. */
#define PLAIN(name)                                                                                                    \
    CASES(name) {                                                                                                      \
        EACH(text, integers) {                                                                                         \
            errno = 0;                                                                                                 \
            strtol(text, NULL, 10);                                                                                    \
            if (errno)                                                                                                 \
                continue;                                                                                              \
            long long result = (long long)name(text);                                                                  \
            errno = 0;                                                                                                 \
            value((uint64_t)result);                                                                                   \
        }                                                                                                              \
    }

PLAIN(atoi)
PLAIN(atol)
PLAIN(atoll)

/* ---- Floats from text ---- */

static const char *const reals[] = {
    "", " ", ".", "-", "+.", "0", "-0", "0.", ".0", "-.5", "1", " 1.5x", "1e", "1e+", "1e5", "1E-5", "1e5.5", "1..2",
    "0x", "0x1p3", "0x1.8p-1", "0x.8", "0x1p", "0x1p+", "0x1.fffffffffffff8p0", "0x1.fffffffffffff7p0", "0x1.00000000000008p0",
    "0x1.000000000000080001p0", "0x0p9999999999", "0x1p-1074", "0x1p-1075", "0x1.8p-1075", "0x1p1023", "0x1p1024",
    "inf", "-INF", "infinity", "infinite", "infin", "nan", "-nan", "NaN", "nan(", "nan()", "nan(12)", "nan(x_1)x", "nan(-)", "in", "na",
    "1e308", "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1e309", "-1e309", "1e99999999999",
    "1e-308", "2.2250738585072014e-308", "2.2250738585072011e-308", "4.9e-324", "2.5e-324", "2.4e-324", "1e-400", "-1e-400",
    "1e-99999999999", "0e99999999999", "9007199254740993", "9007199254740992.5", "9007199254740993.0000000000000000000000001",
    "0.1", "0.3", "123456789012345678901234567890", "3.4028235e38", "3.4028236e38", "1.17549435e-38", "1e-45", "7e-46",
    "1e23", "8.98846567431158e307", "0.500000000000000166533453693773481063544750213623046875",
    "5e-324", "1.1897314953571765e4932", "3.3621031431120935e-4932", "1e4933", "1e-4960", "1,5", "\t\n2.5", "1e1", "00001.50000",
    "179769313486231570814527423731704356798070567525844996598917476803157260780028538760589558632766878171540458953514382464234321326889464182768467546703537516986049910576551282076245490090389328944075868508455133942304583236903222948165808559332123347747",
};

#define PARSE_REAL(name, log)                                                                                          \
    CASES(name) {                                                                                                      \
        EACH(text, reals) {                                                                                            \
            char *end = (char *)text + 1;                                                                              \
            log(name(text, &end));                                                                                     \
            place(end, text);                                                                                          \
            line();                                                                                                    \
            log(name(text, NULL));                                                                                     \
            line();                                                                                                    \
        }                                                                                                              \
        for (int i = 0; i < 300; i++) {                                                                                \
            char text[32], *end;                                                                                       \
            random_text(text, i % 2 ? "0123456789." : "0123456789.e-+", 20);                                           \
            if (i % 3 == 0)                                                                                            \
                strcat(text, "e-5");                                                                                   \
            log(name(text, &end));                                                                                     \
            place(end, text);                                                                                          \
            line();                                                                                                    \
        }                                                                                                              \
    }

PARSE_REAL(strtod, real)
PARSE_REAL(strtof, real_float)
PARSE_REAL(strtold, real_long)

CASES(atof) {
    EACH(text, reals) {
        double result = atof(text);
        errno = 0; /* left open */
        real(result);
        line();
    }
}

/* ---- Random numbers: glibc's generators ---- */

#ifndef MUSL
static const unsigned seeds[] = {1, 0, 2, 42, 0x7fffffff, 0x80000000, 0xffffffff};

CASES(rand) {
    for (int i = 0; i < 40; i++)
        value((uint64_t)rand());
}

CASES(srand) {
    EACH(seed, seeds) {
        srand(seed);
        for (int i = 0; i < 40; i++)
            value((uint64_t)rand());
    }
}

CASES(random) {
    srand(7);
    for (int i = 0; i < 40; i++)
        value((uint64_t)random());
}

CASES(srandom) {
    EACH(seed, seeds) {
        srandom(seed);
        for (int i = 0; i < 40; i++)
            value((uint64_t)random());
    }
}

CASES(rand_r) {
    EACH(seed, seeds) {
        unsigned state = seed;
        for (int i = 0; i < 20; i++) {
            number((uint64_t)rand_r(&state));
            value(state);
        }
    }
}
#endif

/* ---- Sorting ---- */

struct pair {
    short key, place;
};

static unsigned comparisons;

static int compare(const void *a, const void *b) {
    comparisons++;
    return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}

static int compare_with(const void *a, const void *b, void *context) {
    ++*(unsigned *)context;
    return compare(a, b);
}

static int compare_bytes(const void *a, const void *b) {
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

static const size_t lengths[] = {0, 1, 2, 3, 7, 8, 9, 31, 100, 300};

static struct pair pairs[300];

static void fill_pairs(size_t n, unsigned keys) {
    for (size_t i = 0; i < n; i++)
        pairs[i] = (struct pair){(short)below(keys), (short)i};
}

/* The order of equal elements is left open by C; here it is glibc's, which is stable. */
CASES(qsort) {
    static const unsigned kinds[] = {1, 3, 1000};
    EACH(n, lengths) EACH(keys, kinds) {
        fill_pairs(n, keys);
        qsort(pairs, n, sizeof *pairs, compare);
#ifdef MUSL
        for (size_t i = 0; i < n; i++)
            pairs[i].place = 0;
#endif
        bytes(pairs, n * sizeof *pairs);
        line();
    }
    char letters[] = "the quick brown fox";
    qsort(letters, strlen(letters), 1, compare_bytes);
    value_of_text(letters);
}

CASES(qsort_r) {
    EACH(n, lengths) {
        unsigned calls = 0;
        fill_pairs(n, 1000000);
        qsort_r(pairs, n, sizeof *pairs, compare_with, &calls);
        for (size_t i = 0; i < n; i++)
            number((uint64_t)pairs[i].key);
        value_of_truth(calls);
    }
}

CASES(bsearch) {
    EACH(n, lengths) {
        for (size_t i = 0; i < n; i++)
            pairs[i] = (struct pair){(short)(2 * i), 0};
        for (short key = -1; key < 20; key++) {
            struct pair wanted = {key, 0};
            value_of_place(bsearch(&wanted, pairs, n, sizeof *pairs, compare), pairs);
        }
    }
}
