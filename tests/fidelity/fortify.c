/* What glibc's headers call under _FORTIFY_SOURCE, with room enough. */

#include "cases.h"
#include <stdio.h>

static const char *const few_texts[] = {"", "a", "abc", "the quick brown fox"};
static const size_t few_sizes[] = {0, 1, 3, 10, 20};

static void written(const void *result) {
    place(result, area);
    bytes(area, 80);
    line();
}

#define BLOCK(name)                                                                                                    \
    void *name(void *, const void *, size_t, size_t);                                                                  \
    CASES(name) {                                                                                                      \
        EACH(n, few_sizes) {                                                                                           \
            fill_area();                                                                                               \
            written(name(area + 2, "the quick brown fox jumps", n, sizeof area - 2));                                  \
            written(name(area + 2, "the quick brown fox jumps", n, n));                                                \
        }                                                                                                              \
    }

BLOCK(__memcpy_chk)
BLOCK(__memmove_chk)
BLOCK(__mempcpy_chk)

void *__memset_chk(void *, int, size_t, size_t);

CASES(__memset_chk) {
    EACH(n, few_sizes) {
        fill_area();
        written(__memset_chk(area + 2, 0x1ff, n, n));
    }
}

void __explicit_bzero_chk(void *, size_t, size_t);

CASES(__explicit_bzero_chk) {
    EACH(n, few_sizes) {
        fill_area();
        __explicit_bzero_chk(area + 2, n, n);
        written(NULL);
    }
}

#define COPY(name)                                                                                                     \
    char *name(char *, const char *, size_t);                                                                          \
    CASES(name) {                                                                                                      \
        EACH(text, few_texts) {                                                                                        \
            fill_area();                                                                                               \
            strcpy((char *)area, "xy");                                                                                \
            written(name((char *)area, text, 3 + strlen(text)));                                                       \
        }                                                                                                              \
    }

COPY(__strcpy_chk)
COPY(__stpcpy_chk)
COPY(__strcat_chk)

#define COPY_SIZED(name)                                                                                               \
    char *name(char *, const char *, size_t, size_t);                                                                  \
    CASES(name) {                                                                                                      \
        EACH(text, few_texts) EACH(n, few_sizes) {                                                                     \
            fill_area();                                                                                               \
            strcpy((char *)area, "xy");                                                                                \
            written(name((char *)area, text, n, 40));                                                                  \
        }                                                                                                              \
    }

COPY_SIZED(__strncpy_chk)
COPY_SIZED(__stpncpy_chk)
COPY_SIZED(__strncat_chk)

/* Newer than the machine's library. */
#ifdef NATIVE
static size_t __strlcpy_chk(char *to, const char *from, size_t size, size_t available) {
    size_t n = strlen(from), kept = n < size ? n : size - 1;
    if (size > available)
        abort();
    if (size) {
        memcpy(to, from, kept);
        to[kept] = 0;
    }
    return n;
}

static size_t __strlcat_chk(char *to, const char *from, size_t size, size_t available) {
    size_t used = strnlen(to, size);
    return used + __strlcpy_chk(to + used, from, size - used, available - used);
}
#else
size_t __strlcpy_chk(char *, const char *, size_t, size_t);
size_t __strlcat_chk(char *, const char *, size_t, size_t);
#endif

static void written_and_counted(size_t result) {
    number(result);
    bytes(area, 80);
    line();
}

CASES(__strlcpy_chk) {
    EACH(text, few_texts) EACH(n, few_sizes) {
        fill_area();
        written_and_counted(__strlcpy_chk((char *)area, text, n, 40));
    }
}

CASES(__strlcat_chk) {
    EACH(text, few_texts) EACH(n, few_sizes) {
        fill_area();
        strcpy((char *)area, "xy");
        written_and_counted(__strlcat_chk((char *)area, text, n, 40));
    }
}

/* ---- Formats ---- */

int __sprintf_chk(char *, int, size_t, const char *, ...);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int __asprintf_chk(char **, int, const char *, ...);
int __vsprintf_chk(char *, int, size_t, const char *, va_list);
int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
int __vasprintf_chk(char **, int, const char *, va_list);
int __printf_chk(int, const char *, ...);
int __fprintf_chk(FILE *, int, const char *, ...);
int __dprintf_chk(int, int, const char *, ...);
int __vprintf_chk(int, const char *, va_list);
int __vfprintf_chk(FILE *, int, const char *, va_list);
int __vdprintf_chk(int, int, const char *, va_list);

#define FORMAT "%d %s %.2f %x"
#define ARGUMENTS -12, "text", 2.5, 255

CASES(__sprintf_chk) {
    fill_area();
    written_and_counted((size_t)__sprintf_chk((char *)area, 1, 80, FORMAT, ARGUMENTS));
}

CASES(__snprintf_chk) {
    EACH(n, few_sizes) {
        fill_area();
        written_and_counted((size_t)__snprintf_chk((char *)area, n, 1, 80, FORMAT, ARGUMENTS));
    }
}

CASES(__asprintf_chk) {
    char *text = NULL;
    number((uint64_t)__asprintf_chk(&text, 1, FORMAT, ARGUMENTS));
    value_of_text(text);
    free(text);
}

static int through_vsprintf(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = __vsprintf_chk((char *)area, 1, 80, format, list);
    va_end(list);
    return n;
}

CASES(__vsprintf_chk) {
    fill_area();
    written_and_counted((size_t)through_vsprintf(FORMAT, ARGUMENTS));
}

static int through_vsnprintf(size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = __vsnprintf_chk((char *)area, size, 1, 80, format, list);
    va_end(list);
    return n;
}

CASES(__vsnprintf_chk) {
    EACH(n, few_sizes) {
        fill_area();
        written_and_counted((size_t)through_vsnprintf(n, FORMAT, ARGUMENTS));
    }
}

static int through_vasprintf(char **text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = __vasprintf_chk(text, 1, format, list);
    va_end(list);
    return n;
}

CASES(__vasprintf_chk) {
    char *text = NULL;
    number((uint64_t)through_vasprintf(&text, FORMAT, ARGUMENTS));
    value_of_text(text);
    free(text);
}

/* To standard output: the text is part of the log. */
static void printed(int n) {
    fflush(stdout);
    value((uint64_t)n);
}

CASES(__printf_chk) {
    flush();
    printed(__printf_chk(1, FORMAT, ARGUMENTS));
}

CASES(__fprintf_chk) {
    flush();
    printed(__fprintf_chk(stdout, 1, FORMAT, ARGUMENTS));
}

CASES(__dprintf_chk) {
    flush();
    printed(__dprintf_chk(1, 1, FORMAT, ARGUMENTS));
}

enum kind { TO_STANDARD_OUTPUT, TO_STREAM, TO_DESCRIPTOR };

static int through_list(enum kind kind, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = kind == TO_STANDARD_OUTPUT ? __vprintf_chk(1, format, list)
            : kind == TO_STREAM        ? __vfprintf_chk(stdout, 1, format, list)
                                       : __vdprintf_chk(1, 1, format, list);
    va_end(list);
    return n;
}

CASES(__vprintf_chk) {
    flush();
    printed(through_list(TO_STANDARD_OUTPUT, FORMAT, ARGUMENTS));
}

CASES(__vfprintf_chk) {
    flush();
    printed(through_list(TO_STREAM, FORMAT, ARGUMENTS));
}

CASES(__vdprintf_chk) {
    flush();
    printed(through_list(TO_DESCRIPTOR, FORMAT, ARGUMENTS));
}
