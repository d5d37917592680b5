#include <assert.h>
#include <klee/klee.h>

int main(void) {
    int x = 0, bits[6];
    klee_make_symbolic(bits, sizeof bits, "bits");
    for (int i = 0; i < 6; i++)
        if (bits[i])
            x += i;
    assert(x <= 15);
    if (x == 16)
        x = 0;
    return x;
}
