/* Allocation: what is in the memory, and what fails. Addresses themselves are left open. */

#include "cases.h"
#include <malloc.h>

static const size_t sizes[] = {1, 2, 15, 16, 17, 100, 4096, 100000};
/* More than PTRDIFF_MAX, and more than any machine has. */
static const size_t huge[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1, (size_t)1 << 62, (size_t)1 << 48};

static void allocated(void *object, size_t size) {
    truth(object != NULL);
    if (object && size)
        memset(object, 0x5a, size);
    line();
    free(object);
}

CASES(malloc) {
    EACH(size, sizes) allocated(malloc(size), size);
    EACH(size, huge) allocated(malloc(size), 0);
    allocated(malloc(0), 0);
}

CASES(free) {
    errno = 7;
    free(NULL);
    line();
    errno = 7;
    free(malloc(3));
    line();
}

CASES(calloc) {
    static const size_t counts[] = {0, 1, 3, 7, 1000};
    EACH(count, counts) EACH(size, counts) {
        unsigned char *object = calloc(count, size);
        unsigned any = 0;
        for (size_t i = 0; object && i < count * size; i++)
            any |= object[i];
        number(any);
        allocated(object, count * size);
    }
    static const size_t factors[] = {SIZE_MAX, (size_t)1 << 52, (size_t)1 << 50, SIZE_MAX / 2 + 1, 3};
    EACH(count, factors) EACH(size, factors) if (count != 3 || size != 3) allocated(calloc(count, size), 0);
}

CASES(realloc) {
    EACH(before, sizes) EACH(after, sizes) {
        unsigned char *object = malloc(before);
        for (size_t i = 0; i < before; i++)
            object[i] = (unsigned char)(i * 7);
        object = realloc(object, after);
        unsigned sum = 0;
        for (size_t i = 0; i < before && i < after; i++)
            sum = sum * 31 + object[i];
        number(sum);
        allocated(object, after);
    }
    EACH(size, sizes) allocated(realloc(NULL, size), size);
    /* Fails, and the object stays. */
    EACH(size, huge) {
        char *object = strdup("stays");
        void *larger = realloc(object, size);
        truth(larger != NULL);
        value_of_text(object);
        free(object);
    }
    EACH(size, huge) allocated(realloc(NULL, size), 0);
    /* glibc frees. */
    value_of_truth(realloc(malloc(5), 0) != NULL);
}

CASES(reallocarray) {
    static const size_t counts[] = {1, 3, 1000, SIZE_MAX, (size_t)1 << 50, SIZE_MAX / 2 + 1};
    EACH(count, counts) EACH(size, counts) {
        char *object = strdup("x");
        char *larger = reallocarray(object, count, size);
        truth(larger != NULL);
        value_of_text((larger ? larger : object)[0] == 'x' ? "x" : "");
        free(larger ? larger : object);
    }
}

/* Of an object it is up to the system. */
CASES(malloc_usable_size) {
    value(malloc_usable_size(NULL));
}
