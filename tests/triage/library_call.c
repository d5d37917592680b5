#include <string.h>
int klee_range(int from, int to, const char *name);
int main(void) {
    int n = klee_range(0, 9, "n");
    char from[8] = "1234567", to[8];
    memcpy(to, from, n & 7); //~ alarm bufferAccessOutOfBounds: bounded
    memcpy(to, from, n + 1); //~ alarm bufferAccessOutOfBounds: confirmed
    return to[0];
}
