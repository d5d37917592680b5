#include <klee/klee.h>

int undefined_elsewhere(int x);

int main(void) {
    unsigned n;
    klee_make_symbolic(&n, sizeof n, "n");
    if (n == 7)
        return undefined_elsewhere(1);
    unsigned steps = 0;
    while (n > 3 && steps < 40) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps == 39;
}
