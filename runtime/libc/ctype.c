/* ctype.h in the C locale. The functions compute instead of looking up, so that the result for a symbolic character is
 * a small term; their non-zero results are glibc's. The tables are what the macros of glibc's header read. */

#include "libc.h"

enum {
    UPPER = 1 << 8,
    LOWER = 1 << 9,
    ALPHA = 1 << 10,
    DIGIT = 1 << 11,
    XDIGIT = 1 << 12,
    SPACE = 1 << 13,
    PRINT = 1 << 14,
    GRAPH = 1 << 15,
    BLANK = 1 << 0,
    CNTRL = 1 << 1,
    PUNCT = 1 << 2,
    ALNUM = 1 << 3,
};

static unsigned is_alpha(unsigned c) {
    return in_range(c, 'A', 'Z') | in_range(c, 'a', 'z');
}

static unsigned is_digit(unsigned c) {
    return in_range(c, '0', '9');
}

static unsigned is_graph(unsigned c) {
    return in_range(c, '!', '~');
}

#define CLASS(name, condition, mask)                                                                                   \
    API int name(int character) {                                                                                      \
        unsigned c = (unsigned)character;                                                                              \
        return (int)((condition) * (unsigned)(mask));                                                                  \
    }

CLASS(isupper, in_range(c, 'A', 'Z'), UPPER)
CLASS(islower, in_range(c, 'a', 'z'), LOWER)
CLASS(isalpha, is_alpha(c), ALPHA)
CLASS(isdigit, is_digit(c), DIGIT)
CLASS(isxdigit, is_digit(c) | in_range(c, 'A', 'F') | in_range(c, 'a', 'f'), XDIGIT)
CLASS(isspace, is_space(c), SPACE)
CLASS(isprint, in_range(c, ' ', '~'), PRINT)
CLASS(isgraph, is_graph(c), GRAPH)
CLASS(isblank, (unsigned)((c == ' ') | (c == '\t')), BLANK)
CLASS(iscntrl, in_range(c, 0, 31) | (c == 127), CNTRL)
CLASS(ispunct, is_graph(c) & ~(is_alpha(c) | is_digit(c)), PUNCT)
CLASS(isalnum, is_alpha(c) | is_digit(c), ALNUM)

API int isascii(int c) {
    return (unsigned)c < 128;
}

API int toascii(int c) {
    return c & 127;
}

API int tolower(int c) {
    return (int)to_lower((unsigned)c);
}

API int toupper(int c) {
    return (int)((unsigned)c ^ in_range((unsigned)c, 'a', 'z') << 5);
}

/* ---- Tables for the characters -128 to 255 ---- */

enum { FIRST = 128, CHARACTERS = 384 };

#define AT(c) [FIRST + (c)]
#define FROM(first, last) [FIRST + (first) ... FIRST + (last)]

static const unsigned short classes[CHARACTERS] = {
    FROM(0, 8) = CNTRL,
    AT('\t') = CNTRL | SPACE | BLANK,
    FROM('\n', '\r') = CNTRL | SPACE,
    FROM(14, 31) = CNTRL,
    AT(' ') = PRINT | SPACE | BLANK,
    FROM('!', '/') = PRINT | GRAPH | PUNCT,
    FROM('0', '9') = PRINT | GRAPH | ALNUM | DIGIT | XDIGIT,
    FROM(':', '@') = PRINT | GRAPH | PUNCT,
    FROM('A', 'F') = PRINT | GRAPH | ALNUM | ALPHA | UPPER | XDIGIT,
    FROM('G', 'Z') = PRINT | GRAPH | ALNUM | ALPHA | UPPER,
    FROM('[', '`') = PRINT | GRAPH | PUNCT,
    FROM('a', 'f') = PRINT | GRAPH | ALNUM | ALPHA | LOWER | XDIGIT,
    FROM('g', 'z') = PRINT | GRAPH | ALNUM | ALPHA | LOWER,
    FROM('{', '~') = PRINT | GRAPH | PUNCT,
    AT(127) = CNTRL,
};

#define FOUR(c) (c), (c) + 1, (c) + 2, (c) + 3
#define SIXTEEN(c) FOUR(c), FOUR((c) + 4), FOUR((c) + 8), FOUR((c) + 12)
#define TWENTY_SIX(c) SIXTEEN(c), FOUR((c) + 16), FOUR((c) + 20), (c) + 24, (c) + 25

/* Negative characters are those of signed char, except that -1 is EOF. */
#define NEGATIVE                                                                                                       \
    SIXTEEN(128), SIXTEEN(144), SIXTEEN(160), SIXTEEN(176), SIXTEEN(192), SIXTEEN(208), SIXTEEN(224), FOUR(240),       \
        FOUR(244), FOUR(248), 252, 253, 254, EOF
#define UPPER_HALF                                                                                                     \
    SIXTEEN(128), SIXTEEN(144), SIXTEEN(160), SIXTEEN(176), SIXTEEN(192), SIXTEEN(208), SIXTEEN(224), SIXTEEN(240)
#define ASCII(upper, lower)                                                                                            \
    SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48), '@', TWENTY_SIX(upper), FOUR('['), '_', '`', TWENTY_SIX(lower), \
        FOUR('{'), 127

static const int32_t lower[CHARACTERS] = {NEGATIVE, ASCII('a', 'a'), UPPER_HALF};
static const int32_t upper[CHARACTERS] = {NEGATIVE, ASCII('A', 'A'), UPPER_HALF};

API const unsigned short **__ctype_b_loc(void) {
    static const unsigned short *table = classes + FIRST;
    return &table;
}

API const int32_t **__ctype_tolower_loc(void) {
    static const int32_t *table = lower + FIRST;
    return &table;
}

API const int32_t **__ctype_toupper_loc(void) {
    static const int32_t *table = upper + FIRST;
    return &table;
}

/* MB_CUR_MAX */
API size_t __ctype_get_mb_cur_max(void) {
    return 1;
}
