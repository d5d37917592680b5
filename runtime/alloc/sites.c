/* Allocations that may fail at some places only (--alloc-fail=sites), one on a path at most. The front end has calls at
 * these places go to __espalier_site_*, and all others to __espalier_counted_*. A native program does not know the
 * places (runtime/replay): so the input of the test says which allocation it is about, by its number among all that
 * the program makes. */

#include "../include/klee/klee.h"
#include "../libc/libc.h"

void *calloc(size_t count, size_t size);
char *strdup(const char *text);
char *strndup(const char *text, size_t most);

static unsigned allocations;
static int has_failed;

static int fails(void) {
    struct {
        unsigned number, fails;
    } choice;
    allocations++;
    if (has_failed)
        return 0;
    klee_make_symbolic(&choice, sizeof choice, "alloc_fail_at");
    klee_assume(choice.number == allocations);
    if (!choice.fails)
        return 0;
    has_failed = 1;
    errno = ENOMEM;
    return 1;
}

void *__espalier_site_malloc(size_t size) {
    return fails() ? NULL : malloc(size);
}

void *__espalier_site_calloc(size_t count, size_t size) {
    return fails() ? NULL : calloc(count, size);
}

void *__espalier_site_realloc(void *old, size_t size) {
    return fails() ? NULL : realloc(old, size);
}

char *__espalier_site_strdup(const char *text) {
    return fails() ? NULL : strdup(text);
}

char *__espalier_site_strndup(const char *text, size_t most) {
    return fails() ? NULL : strndup(text, most);
}

void *__espalier_counted_malloc(size_t size) {
    allocations++;
    return malloc(size);
}

void *__espalier_counted_calloc(size_t count, size_t size) {
    allocations++;
    return calloc(count, size);
}

void *__espalier_counted_realloc(void *old, size_t size) {
    allocations++;
    return realloc(old, size);
}

char *__espalier_counted_strdup(const char *text) {
    allocations++;
    return strdup(text);
}

char *__espalier_counted_strndup(const char *text, size_t most) {
    allocations++;
    return strndup(text, most);
}
