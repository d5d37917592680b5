/* Allocations that may fail (--alloc-fail): the program calls these by the names of the library's functions. The choice
 * is an input of the test, one byte for each allocation while one may fail, so that a native run of the test makes the
 * same one fail (runtime/replay). */

#include "../include/klee/klee.h"
#include "../libc/libc.h"

void *calloc(size_t count, size_t size);
char *strdup(const char *text);
char *strndup(const char *text, size_t most);

extern unsigned __espalier_alloc_failures;

static int fails(void) {
    unsigned char choice;
    if (!__espalier_alloc_failures)
        return 0;
    klee_make_symbolic(&choice, sizeof choice, "alloc_fail");
    if (!choice)
        return 0;
    __espalier_alloc_failures--;
    errno = ENOMEM;
    return 1;
}

void *__espalier_failing_malloc(size_t size) {
    return fails() ? NULL : malloc(size);
}

void *__espalier_failing_calloc(size_t count, size_t size) {
    return fails() ? NULL : calloc(count, size);
}

void *__espalier_failing_realloc(void *old, size_t size) {
    return fails() ? NULL : realloc(old, size);
}

char *__espalier_failing_strdup(const char *text) {
    return fails() ? NULL : strdup(text);
}

char *__espalier_failing_strndup(const char *text, size_t most) {
    return fails() ? NULL : strndup(text, most);
}
