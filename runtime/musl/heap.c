/* musl's own allocations use these names; the heap is the engine's. */

#include <stdlib.h>
#undef malloc
#undef calloc
#undef realloc
#undef free

void *__libc_malloc(size_t size) {
    return malloc(size);
}

void *__libc_calloc(size_t count, size_t size) {
    return calloc(count, size);
}

void *__libc_realloc(void *pointer, size_t size) {
    return realloc(pointer, size);
}

void __libc_free(void *pointer) {
    free(pointer);
}
