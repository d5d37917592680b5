#include <assert.h>
int klee_int(const char *name);
int main(void) {
    int k = klee_int("k");
    assert(k * 2 != 7); //~ alarm assertion: refuted
    assert(k != 7); //~ alarm assertion: confirmed
    return 0;
}
