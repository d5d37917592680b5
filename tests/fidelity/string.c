/* string.h and strings.h. */

#include "cases.h"
#include <strings.h>

static const size_t few_sizes[] = {0, 1, 2, 3, 5, 16, 33, 64};
static const int characters[] = {0, 'a', 'b', 'c', ' ', 'z', 0xff, 0x80, -1, -128, 256 + 'a', 'A', '\n'};
static const char *const sets[] = {"", "a", "ab", "abc", " \t\n", "z", "\xff", "the", "aa", "cba"};

/* With zeros inside, and none at the end. */
static const char block[12] = "ab\0cd\xff\0ab\x80yz";

CASES(strlen) {
    EACH(text, special_texts) value(strlen(text));
}

CASES(strnlen) {
    EACH(text, special_texts) EACH(n, few_sizes) value(strnlen(text, n));
    EACH(text, special_texts) value(strnlen(text, SIZE_MAX));
    value(strnlen(block + 7, 5));
    value(strnlen(block + 7, 0));
}

/* ---- Copies ---- */

static void written(const void *result) {
    place(result, area);
    bytes(area, sizeof area);
    line();
}

#define COPY(name)                                                                                                     \
    CASES(name) {                                                                                                      \
        EACH(text, special_texts) {                                                                                    \
            fill_area();                                                                                               \
            written(name((char *)area + 3, text));                                                                     \
        }                                                                                                              \
    }

char *__stpcpy(char *, const char *);
COPY(strcpy)
COPY(stpcpy)
COPY(__stpcpy)

#define COPY_SIZED(name)                                                                                               \
    CASES(name) {                                                                                                      \
        EACH(text, special_texts) EACH(n, few_sizes) {                                                                 \
            fill_area();                                                                                               \
            written(name((char *)area + 3, text, n));                                                                  \
        }                                                                                                              \
        fill_area();                                                                                                   \
        written(name((char *)area, block + 7, 5));                                                                     \
    }

char *__stpncpy(char *, const char *, size_t);
COPY_SIZED(strncpy)
COPY_SIZED(stpncpy)
COPY_SIZED(__stpncpy)

CASES(strcat) {
    EACH(text, special_texts) EACH(more, special_texts) {
        fill_area();
        strcpy((char *)area, text);
        written(strcat((char *)area, more));
    }
}

CASES(strncat) {
    EACH(text, sets) EACH(more, special_texts) EACH(n, few_sizes) {
        fill_area();
        strcpy((char *)area, text);
        written(strncat((char *)area, more, n));
    }
    fill_area();
    strcpy((char *)area, "x");
    written(strncat((char *)area, "yz", SIZE_MAX));
}

#ifdef NATIVE
/* As the manual page of the BSDs has it. */
static size_t strlcpy(char *to, const char *from, size_t size) {
    size_t n = strlen(from);
    if (size) {
        size_t kept = n < size ? n : size - 1;
        memcpy(to, from, kept);
        to[kept] = 0;
    }
    return n;
}

static size_t strlcat(char *to, const char *from, size_t size) {
    size_t used = strnlen(to, size);
    return used + strlcpy(to + used, from, size - used);
}
#else
size_t strlcpy(char *, const char *, size_t);
size_t strlcat(char *, const char *, size_t);
#endif

static void written_and_counted(size_t result) {
    number(result);
    bytes(area, sizeof area);
    line();
}

CASES(strlcpy) {
    EACH(text, special_texts) EACH(n, few_sizes) {
        fill_area();
        written_and_counted(strlcpy((char *)area, text, n));
    }
}

CASES(strlcat) {
    EACH(text, sets) EACH(more, special_texts) EACH(n, few_sizes) {
        fill_area();
        strcpy((char *)area, text);
        written_and_counted(strlcat((char *)area, more, n));
    }
}

/* What is in the array is only defined if it fits; in the C locale it is a copy. */
CASES(strxfrm) {
    EACH(text, special_texts) EACH(n, few_sizes) {
        fill_area();
        size_t length = strxfrm((char *)area, text, n);
        number(length);
        if (length < n)
            bytes(area, n);
        line();
    }
}

static void duplicate(char *copy) {
    text_or_null(copy);
    line();
    free(copy);
}

char *__strdup(const char *);
char *__strndup(const char *, size_t);

CASES(strdup) {
    EACH(text, special_texts) duplicate(strdup(text));
}

CASES(__strdup) {
    EACH(text, special_texts) duplicate(__strdup(text));
}

CASES(strndup) {
    EACH(text, special_texts) EACH(n, few_sizes) duplicate(strndup(text, n));
    duplicate(strndup(block + 7, 5));
    duplicate(strndup("x", SIZE_MAX));
}

CASES(__strndup) {
    EACH(text, special_texts) EACH(n, few_sizes) duplicate(__strndup(text, n));
}

static const size_t block_sizes[] = {0, 1, 2, 7, 11, 12};

#define COPY_BLOCK(name)                                                                                               \
    CASES(name) {                                                                                                      \
        EACH(n, block_sizes) {                                                                                         \
            fill_area();                                                                                               \
            written(name(area + 5, block, n));                                                                         \
        }                                                                                                              \
    }

void *__mempcpy(void *, const void *, size_t);
COPY_BLOCK(memcpy)
COPY_BLOCK(mempcpy)
COPY_BLOCK(__mempcpy)

/* Overlapping, in both directions. */
static const size_t places[] = {0, 1, 3, 8, 20};

CASES(memmove) {
    EACH(from, places) EACH(to, places) EACH(n, few_sizes) {
        fill_area();
        written(memmove(area + to, area + from, n));
    }
}

CASES(bcopy) {
    EACH(from, places) EACH(to, places) EACH(n, few_sizes) {
        fill_area();
        bcopy(area + from, area + to, n);
        written(NULL);
    }
}

CASES(memset) {
    EACH(c, characters) EACH(n, few_sizes) {
        fill_area();
        written(memset(area + 1, c, n));
    }
}

CASES(bzero) {
    EACH(n, few_sizes) {
        fill_area();
        bzero(area + 1, n);
        written(NULL);
    }
}

CASES(explicit_bzero) {
    EACH(n, few_sizes) {
        fill_area();
        explicit_bzero(area + 1, n);
        written(NULL);
    }
}

CASES(memccpy) {
    EACH(c, characters) EACH(n, block_sizes) {
        fill_area();
        written(memccpy(area, block, c, n));
    }
}

/* ---- Comparisons ---- */

#define COMPARE(name)                                                                                                  \
    CASES(name) {                                                                                                      \
        EACH(a, special_texts) EACH(b, special_texts) value_of_sign(name(a, b));                                       \
        for (int i = 0; i < 200; i++) {                                                                                \
            char a[8], b[8];                                                                                           \
            random_text(a, "abAB", 7);                                                                                 \
            random_text(b, "abAB", 7);                                                                                 \
            value_of_sign(name(a, b));                                                                                 \
        }                                                                                                              \
    }

COMPARE(strcmp)
COMPARE(strcoll)
COMPARE(strcasecmp)

#define COMPARE_SIZED(name)                                                                                            \
    CASES(name) {                                                                                                      \
        EACH(a, special_texts) EACH(b, special_texts) EACH(n, few_sizes) value_of_sign(name(a, b, n));                 \
        EACH(a, special_texts) EACH(b, special_texts) value_of_sign(name(a, b, SIZE_MAX));                             \
    }

COMPARE_SIZED(strncmp)
COMPARE_SIZED(strncasecmp)

static const char *const same_sizes[] = {"abcdefgh", "abcdefgi", "Abcdefgh", "abc\0efgh", "abc\xff""efgh", "\x80""bcdefgh"};
static const size_t up_to_eight[] = {0, 1, 3, 4, 7, 8};

CASES(memcmp) {
    EACH(a, same_sizes) EACH(b, same_sizes) EACH(n, up_to_eight) value_of_sign(memcmp(a, b, n));
}

CASES(bcmp) {
    EACH(a, same_sizes) EACH(b, same_sizes) EACH(n, up_to_eight) value_of_truth(bcmp(a, b, n));
}

/* ---- Searches ---- */

#define FIND(name)                                                                                                     \
    CASES(name) {                                                                                                      \
        EACH(text, special_texts) EACH(c, characters) value_of_place(name(text, c), text);                             \
    }

FIND(strchr)
FIND(strrchr)
FIND(index)
FIND(rindex)
FIND(strchrnul)

CASES(memchr) {
    EACH(c, characters) EACH(n, block_sizes) value_of_place(memchr(block, c, n), block);
    /* It stops where it finds. */
    value_of_place(memchr(block, 'c', SIZE_MAX), block);
}

CASES(memrchr) {
    EACH(c, characters) EACH(n, block_sizes) value_of_place(memrchr(block, c, n), block);
}

void *__rawmemchr(const void *, int);

CASES(rawmemchr) {
    for (size_t i = 0; i < sizeof block; i++)
        value_of_place(rawmemchr(block, block[i]), block);
}

CASES(__rawmemchr) {
    for (size_t i = 0; i < sizeof block; i++)
        value_of_place(__rawmemchr(block, block[i]), block);
}

CASES(strspn) {
    EACH(text, special_texts) EACH(set, sets) value(strspn(text, set));
}

CASES(strcspn) {
    EACH(text, special_texts) EACH(set, sets) value(strcspn(text, set));
}

CASES(strpbrk) {
    EACH(text, special_texts) EACH(set, sets) value_of_place(strpbrk(text, set), text);
}

CASES(strstr) {
    EACH(text, special_texts) EACH(part, special_texts) value_of_place(strstr(text, part), text);
    EACH(text, special_texts) EACH(part, sets) value_of_place(strstr(text, part), text);
}

CASES(strcasestr) {
    EACH(text, special_texts) EACH(part, special_texts) value_of_place(strcasestr(text, part), text);
    EACH(text, special_texts) EACH(part, sets) value_of_place(strcasestr(text, part), text);
}

CASES(memmem) {
    static const size_t starts[] = {0, 2, 3, 7};
    EACH(n, block_sizes) EACH(start, starts) EACH(size, places)
        if (start + size <= sizeof block)
            value_of_place(memmem(block, n, block + start, size), block);
}

/* ---- Tokens ---- */

static const char *const sentences[] = {"", "a", ",", ",,", "a,b", ",a,,b,", "a b,c", "abc"};
static const char *const delimiters[] = {"", ",", ", ", "abc"};

static void token(const char *found, const char *rest) {
    place(found, area);
    place(rest, area);
    bytes(area, 12);
    line();
}

CASES(strtok) {
    EACH(sentence, sentences) EACH(set, delimiters) {
        fill_area();
        strcpy((char *)area, sentence);
        char *found = strtok((char *)area, set);
        token(found, area);
        for (int i = 0; i < 4 && found; i++) {
            found = strtok(NULL, set);
            token(found, area);
        }
    }
}

char *__strtok_r(char *, const char *, char **);

#define TOKENS(name)                                                                                                   \
    CASES(name) {                                                                                                      \
        EACH(sentence, sentences) EACH(set, delimiters) {                                                              \
            char *rest = NULL;                                                                                         \
            fill_area();                                                                                               \
            strcpy((char *)area, sentence);                                                                            \
            char *found = name((char *)area, set, &rest);                                                              \
            token(found, rest);                                                                                        \
            for (int i = 0; i < 4 && found; i++) {                                                                     \
                found = name(NULL, set, &rest);                                                                        \
                token(found, rest);                                                                                    \
            }                                                                                                          \
        }                                                                                                              \
    }

TOKENS(strtok_r)
TOKENS(__strtok_r)

CASES(strsep) {
    EACH(sentence, sentences) EACH(set, delimiters) {
        fill_area();
        char *rest = strcpy((char *)area, sentence);
        for (int i = 0; i < 5; i++) {
            char *found = strsep(&rest, set);
            token(found, rest);
        }
    }
}

/* ---- Bits ---- */

CASES(ffs) {
    EACH(i, special_ints) value((uint64_t)ffs(i));
    for (int i = 0; i < 32; i++)
        value((uint64_t)ffs((int)(0xffffffffu << i)));
}

CASES(ffsl) {
    EACH(i, special_longs) value((uint64_t)ffsl((long)i));
}

CASES(ffsll) {
    EACH(i, special_longs) value((uint64_t)ffsll(i));
    for (int i = 0; i < 64; i++)
        value((uint64_t)ffsll((long long)(~0ull << i)));
}

/* ---- Messages ---- */

CASES(strerror) {
    for (int i = -2; i < 140; i++)
        value_of_text(strerror(i));
    EACH(i, special_ints) value_of_text(strerror(i));
}

/* GNU's form: whether the buffer is used is left open. */
CASES(strerror_r) {
    char buffer[64];
    for (int i = -2; i < 140; i++)
        value_of_text(strerror_r(i, buffer, sizeof buffer));
}

int __xpg_strerror_r(int, char *, size_t);

CASES(__xpg_strerror_r) {
    static const int errors[] = {0, 2, 22, 41, 133, 134, -1, 9999};
    EACH(i, errors) EACH(n, few_sizes) {
        fill_area();
        number((uint64_t)__xpg_strerror_r(i, (char *)area, n));
        bytes(area, 64);
        line();
    }
}
