/* strtol and its relatives. */

#include "integer.h"

/* Whether a prefix is here, and a digit behind it. */
static int has_prefix(const char *text, unsigned letter, unsigned base) {
    return text[0] == '0' && ((unsigned char)text[1] | 32u) == letter && digit_value(text[2], base) < base;
}

static unsigned long long parse(struct integer number, const char *text, char **end, int requested_base,
                                int binary_prefix) {
    if (requested_base < 0 || requested_base == 1 || requested_base > 36) {
        errno = EINVAL;
        return 0;
    }
    const char *s = text;
    while (is_space((unsigned char)*s))
        s++;
    if ((*s == '-') | (*s == '+')) {
        number.negative = *s == '-';
        s++;
    }

    unsigned base = (unsigned)requested_base;
    if ((base == 0 || base == 16) && has_prefix(s, 'x', 16)) {
        s += 2;
        base = 16;
    } else if (binary_prefix && (base == 0 || base == 2) && has_prefix(s, 'b', 2)) {
        s += 2;
        base = 2;
    } else if (base == 0) {
        base = *s == '0' ? 8 : 10;
    }

    const char *digits = s;
    for (;; s++) {
        unsigned digit = digit_value(*s, base);
        if (digit >= base)
            break;
        add_digit(&number, digit, base);
    }
    if (end)
        *end = (char *)(s == digits ? text : s);
    return integer_value(&number);
}

/* Under its own name, and under the one to which glibc's headers redirect C23 programs. */
#define PARSE(name, type, number)                                                                                      \
    API type name(const char *restrict text, char **restrict end, int base) {                                          \
        return (type)parse(number, text, end, base, 0);                                                                \
    }                                                                                                                  \
    API type __isoc23_##name(const char *restrict text, char **restrict end, int base) {                               \
        return (type)parse(number, text, end, base, 1);                                                                \
    }

PARSE(strtol, long, signed_integer(LONG_MAX))
PARSE(strtoll, long long, signed_integer(LLONG_MAX))
PARSE(strtoimax, intmax_t, signed_integer(INTMAX_MAX))
PARSE(strtoul, unsigned long, unsigned_integer(ULONG_MAX))
PARSE(strtoull, unsigned long long, unsigned_integer(ULLONG_MAX))
PARSE(strtoumax, uintmax_t, unsigned_integer(UINTMAX_MAX))

API int atoi(const char *text) {
    return (int)parse(signed_integer(LONG_MAX), text, NULL, 10, 0);
}

API long atol(const char *text) {
    return (long)parse(signed_integer(LONG_MAX), text, NULL, 10, 0);
}

API long long atoll(const char *text) {
    return (long long)parse(signed_integer(LLONG_MAX), text, NULL, 10, 0);
}
