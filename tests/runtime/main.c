/* Compares runtime/libc, compiled natively with its names prefixed, with the host's libc on random input. */

#include "check.h"

unsigned failures;
static unsigned passed, failed;

int rounds(int n) {
    const char *scale = getenv("SCALE");
    return scale ? n * atoi(scale) : n;
}

uint64_t random_bits(void) {
    static uint64_t state = 0x9e3779b97f4a7c15;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1d;
}

unsigned below(unsigned n) {
    return (unsigned)(random_bits() >> 33) % n;
}

int one_in(unsigned n) {
    return below(n) == 0;
}

const char *one_of(const char *const *choices, unsigned n) {
    return choices[below(n)];
}

enum { MAX_BLOCKS = 256 };
static void *blocks[MAX_BLOCKS];
static unsigned block_count;

char *exact(const void *bytes, size_t n) {
    char *block = malloc(n ? n : 1);
    if (!block || block_count == MAX_BLOCKS)
        abort();
    blocks[block_count++] = block;
    memcpy(block, bytes, n);
    return block;
}

char *exact_string(const char *text) {
    return exact(text, strlen(text) + 1);
}

char *random_string(const char *alphabet, unsigned max) {
    char text[4096];
    unsigned n = below(max + 1), letters = (unsigned)strlen(alphabet);
    for (unsigned i = 0; i < n; i++)
        text[i] = alphabet[below(letters)];
    text[n] = 0;
    return exact_string(text);
}

void release_all(void) {
    while (block_count)
        free(blocks[--block_count]);
}

void run(const char *name, void (*test)(void)) {
    failures = 0;
    test();
    release_all();
    if (failures) {
        failed++;
        printf("FAIL %s (%u checks)\n", name, failures);
    } else {
        passed++;
        printf("ok   %s\n", name);
    }
}

int main(void) {
    string_tests();
    number_tests();
    format_tests();
    scan_tests();
    stdio_tests();
    printf("counts %u %u\n", passed, failed);
    return failed != 0;
}
