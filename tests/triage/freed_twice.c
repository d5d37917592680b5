#include <stdlib.h>
int klee_int(const char *name);
int main(void) {
    int k = klee_int("k");
    char *p = malloc(4);
    if (k > 10)
        free(p);
    if (k > 11)
        free(p); //~ alarm doubleFree: confirmed
    if (k < 4)
        free(p); //~ alarm doubleFree: bounded
    return 0;
}
