/* Allocation: what is in the memory, and what fails. Addresses themselves are left open. */

#include "cases.h"
#include <malloc.h>

static const size_t sizes[] = {1, 2, 15, 16, 17, 100, 4096, 100000};
/* More than PTRDIFF_MAX, and more than any machine has. */
static const size_t huge[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1, (size_t)1 << 62, (size_t)1 << 48};

static void allocated(void *object, size_t size) {
    truth(object != NULL);
    if (object && size) {
        memset(object, 0x5a, size);
        truth((uintptr_t)object % 16 == 0);
    }
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

static const size_t alignments[] = {0, 1, 2, 3, 4, 7, 8, 16, 24, 32, 48, 64, 100, 4096, 8191, (size_t)1 << 63, SIZE_MAX};

CASES(posix_memalign) {
    EACH(alignment, alignments) EACH(size, sizes) {
        void *object = &object;
        void *before = object;
        number((uint64_t)posix_memalign(&object, alignment, size));
        if (object == before) {
            word(" untouched");
        } else {
            truth((uintptr_t)object % alignment == 0);
            memset(object, 1, size);
            free(object);
        }
        line();
    }
    EACH(size, huge) {
        void *object = NULL;
        number((uint64_t)posix_memalign(&object, 64, size));
        value_of_truth(object != NULL);
    }
}

static void aligned(char *object, size_t alignment, size_t size) {
    truth(object != NULL);
    if (object) {
        truth(alignment & (alignment - 1) || (uintptr_t)object % (alignment ? alignment : 1) == 0);
        memset(object, 1, size);
    }
    line();
    free(object);
}

/* glibc takes any alignment, and rounds up to a power of two; the size need not be a multiple. */
CASES(aligned_alloc) {
    EACH(alignment, alignments) EACH(size, sizes) aligned(aligned_alloc(alignment, size), alignment, size);
    EACH(size, huge) aligned(aligned_alloc(64, size), 64, 0);
}

CASES(memalign) {
    EACH(alignment, alignments) EACH(size, sizes) aligned(memalign(alignment, size), alignment, size);
    EACH(size, huge) aligned(memalign(64, size), 64, 0);
}

CASES(valloc) {
    EACH(size, sizes) aligned(valloc(size), 4096, size);
    EACH(size, huge) aligned(valloc(size), 4096, 0);
}
