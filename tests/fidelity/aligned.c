/* Inexact: alignments are read off the numbers of addresses. */

#include "cases.h"
#include <malloc.h>

static const size_t sizes[] = {1, 2, 15, 16, 17, 100, 4096, 100000};
/* More than PTRDIFF_MAX, and more than any machine has. */
static const size_t huge[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1, (size_t)1 << 62, (size_t)1 << 48};
static const size_t alignments[] = {0, 1, 2, 3, 4, 7, 8, 16, 24, 32, 48, 64, 100, 4096, 8191, (size_t)1 << 63, SIZE_MAX};

CASES(posix_memalign) {
    EACH(alignment, alignments) EACH(size, sizes) {
        void *object = NULL;
        number((uint64_t)posix_memalign(&object, alignment, size));
        if (!object) {
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

CASES_OF(malloc, alignment) {
    EACH(size, sizes) aligned(malloc(size), 16, size);
}

CASES_OF(calloc, alignment) {
    EACH(size, sizes) aligned(calloc(1, size), 16, size);
}

CASES_OF(realloc, alignment) {
    EACH(size, sizes) aligned(realloc(malloc(3), size), 16, size);
}
