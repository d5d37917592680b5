/* ctype.h in the C locale. */

#include "cases.h"
#include <ctype.h>

#undef tolower
#undef toupper

/* EOF and the values of unsigned char; the others are no arguments. */
#define CLASS(name)                                                                                                    \
    CASES(name) {                                                                                                      \
        for (int c = -1; c < 256; c++)                                                                                 \
            value_of_truth((name)(c));                                                                                 \
    }

CLASS(isalnum)
CLASS(isalpha)
CLASS(isblank)
CLASS(iscntrl)
CLASS(isdigit)
CLASS(isgraph)
CLASS(islower)
CLASS(isprint)
CLASS(ispunct)
CLASS(isspace)
CLASS(isupper)
CLASS(isxdigit)

#define MAPPING(name)                                                                                                  \
    CASES(name) {                                                                                                      \
        for (int c = -1; c < 256; c++)                                                                                 \
            value((uint64_t)(name)(c));                                                                                \
    }

MAPPING(tolower)
MAPPING(toupper)

/* These are defined for all integers. */
CASES(isascii) {
    EACH(c, special_ints) value_of_truth((isascii)(c));
}

CASES(toascii) {
    EACH(c, special_ints) value((uint64_t)(toascii)(c));
}

/* The tables behind the macros of the header. */
#define TABLE(name, type)                                                                                              \
    CASES(name) {                                                                                                      \
        const type *table = *name();                                                                                   \
        for (int c = -128; c < 256; c++)                                                                               \
            value((uint64_t)table[c]);                                                                                 \
    }

#ifndef MUSL
TABLE(__ctype_b_loc, unsigned short)
TABLE(__ctype_tolower_loc, int32_t)
TABLE(__ctype_toupper_loc, int32_t)
#endif

CASES(__ctype_get_mb_cur_max) {
    value(MB_CUR_MAX);
}
