/* stdlib.h without memory, sorting and the reading of numbers. */

#include "libc.h"

/* ---- Integer arithmetic ---- */

#define ABSOLUTE(name, type, unsigned_type)                                                                            \
    API type name(type x) {                                                                                            \
        unsigned_type sign = -(unsigned_type)(x < 0);                                                                  \
        return (type)(((unsigned_type)x ^ sign) - sign);                                                               \
    }

ABSOLUTE(abs, int, unsigned)
ABSOLUTE(labs, long, unsigned long)
ABSOLUTE(llabs, long long, unsigned long long)
ABSOLUTE(imaxabs, intmax_t, uintmax_t)

#define DIVISION(name, type)                                                                                           \
    struct name##_result {                                                                                             \
        type quotient, remainder;                                                                                      \
    };                                                                                                                 \
    API struct name##_result name(type x, type y) {                                                                    \
        struct name##_result result = {x / y, x % y};                                                                  \
        return result;                                                                                                 \
    }

DIVISION(div, int)
DIVISION(ldiv, long)
DIVISION(lldiv, long long)
DIVISION(imaxdiv, intmax_t)

/* ---- Random numbers: glibc's additive generator, so that a native replay draws the same ---- */

enum { DEGREE = 31, DISTANCE = 3, WARM_UP = 310 };

static uint32_t history[DEGREE];
static unsigned next_slot, seeded;

static uint32_t draw(void) {
    uint32_t sum = history[next_slot] + history[(next_slot + DEGREE - DISTANCE) % DEGREE];
    history[next_slot] = sum;
    next_slot = (next_slot + 1) % DEGREE;
    return sum >> 1;
}

static void seed_generator(uint32_t seed) {
    seeded = 1;
    next_slot = DISTANCE;
    int64_t word = seed ? (int32_t)seed : 1;
    for (unsigned i = 0; i < DEGREE; i++) {
        history[i] = (uint32_t)word;
        word = 16807 * word % 2147483647;
        word += 2147483647 & -(int64_t)(word < 0);
    }
    for (unsigned i = 0; i < WARM_UP; i++)
        draw();
}

static uint32_t draw_seeded(void) {
    if (!seeded)
        seed_generator(1);
    return draw();
}

API int rand(void) {
    return (int)draw_seeded();
}

API long random(void) {
    return (long)draw_seeded();
}

API void srand(unsigned seed) {
    seed_generator(seed);
}

API void srandom(unsigned seed) {
    seed_generator(seed);
}

static unsigned step(unsigned *state) {
    *state = *state * 1103515245 + 12345;
    return *state >> 16;
}

API int rand_r(unsigned *state) {
    unsigned high = step(state) % 2048;
    unsigned middle = step(state) % 1024;
    unsigned low = step(state) % 1024;
    return (int)(high << 20 ^ middle << 10 ^ low);
}

/* ---- Ending ---- */

API int system(const char *command) {
    (void)command;
    __espalier_approximate("system");
    errno = ENOSYS;
    return command ? -1 : 0;
}

enum { BLOCK = 32 };

/* The last one registered is the first one called. */
static struct block {
    struct block *before;
    unsigned count;
    struct {
        void (*call)(void *);
        void *argument;
    } handler[BLOCK];
} first_block, *last_block = &first_block;

/* What a C++ compiler registers destructors with. There is one program, so it does not matter for which library. */
API int __cxa_atexit(void (*handler)(void *), void *argument, void *library) {
    (void)library;
    if (last_block->count == BLOCK) {
        struct block *block = malloc(sizeof *block);
        if (!block)
            return -1;
        block->before = last_block;
        block->count = 0;
        last_block = block;
    }
    last_block->handler[last_block->count].call = handler;
    last_block->handler[last_block->count++].argument = argument;
    return 0;
}

static void call_plain(void *handler) {
    ((void (*)(void))handler)();
}

API int atexit(void (*handler)(void)) {
    return __cxa_atexit(call_plain, (void *)handler, NULL);
}

/* Called by the engine when main returns and in exit(), also in one that a handler calls: then for those that are
 * left. A handler may register others. */
void __espalier_run_atexit(void) {
    for (;;) {
        while (last_block->count) {
            unsigned last = --last_block->count;
            last_block->handler[last].call(last_block->handler[last].argument);
        }
        if (!last_block->before)
            return;
        struct block *empty = last_block;
        last_block = empty->before;
        free(empty);
    }
}

API NORETURN void _Exit(int status) {
    _exit(status);
}

/* ---- Memory ---- */

API void *reallocarray(void *pointer, size_t n, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(n, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(pointer, total);
}
