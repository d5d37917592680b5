#include <stdlib.h>
int klee_int(const char *name);
int main(void) {
    int k = klee_int("k"), *p = malloc(sizeof *p), result = 0;
    if (!p)
        return 1;
    *p = k;
    if (k == 3)
        free(p);
    if (k != 3)
        result = *p; //~ alarm use-after-free: bounded
    if (k == 3 && k > 1)
        result = *p; //~ alarm use-after-free: confirmed
    if (k != 3)
        free(p);
    return result;
}
