/* string.h and strings.h, without memcpy, memmove and memset, which the engine provides. */

#include "libc.h"

/* ---- Lengths and copies ---- */

API size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

API size_t strnlen(const char *s, size_t max) {
    return bounded_length(s, max);
}

/* Copies with the terminating zero, and returns where that is. */
static char *copy(char *to, const char *from) {
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

/* Copies at most n characters, fills up with zeros, and returns where the first zero is, if there is one. */
static char *copy_padded(char *to, const char *from, size_t n) {
    size_t i = 0;
    while (i < n && from[i]) {
        to[i] = from[i];
        i++;
    }
    if (i < n)
        memset(to + i, 0, n - i);
    return to + i;
}

API char *strcpy(char *restrict to, const char *restrict from) {
    copy(to, from);
    return to;
}

API char *stpcpy(char *restrict to, const char *restrict from) {
    return copy(to, from);
}

API char *strncpy(char *restrict to, const char *restrict from, size_t n) {
    copy_padded(to, from, n);
    return to;
}

API char *stpncpy(char *restrict to, const char *restrict from, size_t n) {
    return copy_padded(to, from, n);
}

API char *strcat(char *restrict to, const char *restrict from) {
    copy(to + length(to), from);
    return to;
}

API char *strncat(char *restrict to, const char *restrict from, size_t n) {
    char *end = to + length(to);
    for (; n && *from; n--)
        *end++ = *from++;
    *end = 0;
    return to;
}

static size_t copy_truncated(char *to, const char *from, size_t size) {
    size_t n = length(from);
    if (size) {
        size_t kept = n < size ? n : size - 1;
        memcpy(to, from, kept);
        to[kept] = 0;
    }
    return n;
}

API size_t strlcpy(char *restrict to, const char *restrict from, size_t size) {
    return copy_truncated(to, from, size);
}

API size_t strlcat(char *restrict to, const char *restrict from, size_t size) {
    size_t used = bounded_length(to, size);
    return used + copy_truncated(to + used, from, size - used);
}

API size_t strxfrm(char *restrict to, const char *restrict from, size_t size) {
    return copy_truncated(to, from, size);
}

static char *duplicate(const char *s, size_t n) {
    char *result = malloc(n + 1);
    if (result) {
        memcpy(result, s, n);
        result[n] = 0;
    }
    return result;
}

API char *strdup(const char *s) {
    return duplicate(s, length(s));
}

API char *strndup(const char *s, size_t max) {
    return duplicate(s, bounded_length(s, max));
}

API void *mempcpy(void *restrict to, const void *restrict from, size_t n) {
    memcpy(to, from, n);
    return (char *)to + n;
}

API void *memccpy(void *restrict to, const void *restrict from, int c, size_t n) {
    unsigned char *out = to;
    const unsigned char *in = from;
    for (; n; n--) {
        unsigned char byte = *in++;
        *out++ = byte;
        if (byte == (unsigned char)c)
            return out;
    }
    return NULL;
}

API void bzero(void *to, size_t n) {
    memset(to, 0, n);
}

API void explicit_bzero(void *to, size_t n) {
    memset(to, 0, n);
}

API void bcopy(const void *from, void *to, size_t n) {
    memmove(to, from, n);
}

/* ---- Comparisons ---- */

/* From the last byte to the first and without a branch on them: one term instead of n forks. */
static int compare_bytes(const void *a, const void *b, size_t n) {
    const unsigned char *p = a, *q = b;
    int result = 0;
    for (size_t i = n; i--;) {
        int difference = p[i] - q[i];
        int equal = -(difference == 0);
        result = difference | (result & equal);
    }
    return __espalier_compared(result, a, b, n);
}

API int memcmp(const void *a, const void *b, size_t n) {
    return compare_bytes(a, b, n);
}

API int bcmp(const void *a, const void *b, size_t n) {
    return compare_bytes(a, b, n);
}

static int compare(const char *a, const char *b) {
    while (*a == *b) {
        if (!*a)
            return 0;
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

API int strcmp(const char *a, const char *b) {
    while (*a == *b) {
        if (!*a)
            return 0;
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

API int strcoll(const char *a, const char *b) {
    return compare(a, b);
}

API int strncmp(const char *a, const char *b, size_t n) {
    for (; n; n--) {
        if (*a != *b)
            return (unsigned char)*a - (unsigned char)*b;
        if (!*a)
            return 0;
        a++;
        b++;
    }
    return 0;
}

static int compare_folded(const char *a, const char *b, size_t n) {
    for (; n; n--) {
        int difference = (int)to_lower((unsigned char)*a) - (int)to_lower((unsigned char)*b);
        if (difference)
            return difference;
        if (!*a)
            return 0;
        a++;
        b++;
    }
    return 0;
}

API int strcasecmp(const char *a, const char *b) {
    return compare_folded(a, b, SIZE_MAX);
}

API int strncasecmp(const char *a, const char *b, size_t n) {
    return compare_folded(a, b, n);
}

/* ---- Searches ---- */

static char *find(const char *s, char c) {
    while (*s != c) {
        if (!*s)
            return NULL;
        s++;
    }
    return (char *)s;
}

static char *find_last(const char *s, char c) {
    const char *found = NULL;
    do {
        if (*s == c)
            found = s;
    } while (*s++);
    return (char *)found;
}

API char *strchr(const char *s, int c) {
    return find(s, (char)c);
}

API char *index(const char *s, int c) {
    return find(s, (char)c);
}

API char *strrchr(const char *s, int c) {
    return find_last(s, (char)c);
}

API char *rindex(const char *s, int c) {
    return find_last(s, (char)c);
}

API char *strchrnul(const char *s, int c) {
    while (*s && *s != (char)c)
        s++;
    return (char *)s;
}

API void *memchr(const void *s, int c, size_t n) {
    const unsigned char *p = s;
    for (; n; n--, p++)
        if (*p == (unsigned char)c)
            return (void *)p;
    return NULL;
}

API void *memrchr(const void *s, int c, size_t n) {
    const unsigned char *p = s;
    while (n)
        if (p[--n] == (unsigned char)c)
            return (void *)(p + n);
    return NULL;
}

API void *rawmemchr(const void *s, int c) {
    const unsigned char *p = s;
    while (*p != (unsigned char)c)
        p++;
    return (void *)p;
}

static unsigned contains(const char *set, char c) {
    unsigned found = 0;
    for (; *set; set++)
        found |= *set == c;
    return found;
}

static size_t span(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] && contains(set, s[n]))
        n++;
    return n;
}

static size_t span_outside(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] && !contains(set, s[n]))
        n++;
    return n;
}

API size_t strspn(const char *s, const char *accept) {
    return span(s, accept);
}

API size_t strcspn(const char *s, const char *reject) {
    return span_outside(s, reject);
}

API char *strpbrk(const char *s, const char *accept) {
    s += span_outside(s, accept);
    return *s ? (char *)s : NULL;
}

API char *strstr(const char *text, const char *part) {
    for (;; text++) {
        size_t i = 0;
        while (part[i] && text[i] == part[i])
            i++;
        if (!part[i])
            return (char *)text;
        if (!text[i])
            return NULL;
    }
}

API char *strcasestr(const char *text, const char *part) {
    for (;; text++) {
        size_t i = 0;
        while (part[i] && to_lower((unsigned char)text[i]) == to_lower((unsigned char)part[i]))
            i++;
        if (!part[i])
            return (char *)text;
        if (!text[i])
            return NULL;
    }
}

API void *memmem(const void *text, size_t text_size, const void *part, size_t part_size) {
    const char *p = text;
    for (; part_size <= text_size; p++, text_size--)
        if (compare_bytes(p, part, part_size) == 0)
            return (void *)p;
    return NULL;
}

/* ---- Tokens ---- */

static char *next_token(char *s, const char *delimiters, char **rest) {
    if (!s)
        s = *rest;
    s += span(s, delimiters);
    if (!*s) {
        *rest = s;
        return NULL;
    }
    char *end = s + span_outside(s, delimiters);
    *rest = *end ? end + 1 : end;
    *end = 0;
    return s;
}

API char *strtok_r(char *restrict s, const char *restrict delimiters, char **restrict rest) {
    return next_token(s, delimiters, rest);
}

API char *strtok(char *restrict s, const char *restrict delimiters) {
    static char nothing[1], *rest = nothing;
    return next_token(s, delimiters, &rest);
}

API char *strsep(char **restrict text, const char *restrict delimiters) {
    char *token = *text;
    if (!token)
        return NULL;
    char *end = token + span_outside(token, delimiters);
    if (*end) {
        *end = 0;
        *text = end + 1;
    } else {
        *text = NULL;
    }
    return token;
}

/* ---- Bits ---- */

static int first_bit(unsigned long long bits) {
    return bits ? __builtin_ctzll(bits) + 1 : 0;
}

API int ffs(int i) {
    return first_bit((unsigned)i);
}

API int ffsl(long i) {
    return first_bit((unsigned long)i);
}

API int ffsll(long long i) {
    return first_bit((unsigned long long)i);
}

/* ---- glibc's second names ---- */

API char *__strdup(const char *s) {
    return duplicate(s, length(s));
}

API char *__strndup(const char *s, size_t max) {
    return duplicate(s, bounded_length(s, max));
}

API char *__stpcpy(char *restrict to, const char *restrict from) {
    return copy(to, from);
}

API char *__stpncpy(char *restrict to, const char *restrict from, size_t n) {
    return copy_padded(to, from, n);
}

API void *__mempcpy(void *restrict to, const void *restrict from, size_t n) {
    memcpy(to, from, n);
    return (char *)to + n;
}

API char *__strtok_r(char *restrict s, const char *restrict delimiters, char **restrict rest) {
    return next_token(s, delimiters, rest);
}

API void *__rawmemchr(const void *s, int c) {
    const unsigned char *p = s;
    while (*p != (unsigned char)c)
        p++;
    return (void *)p;
}
