#include <stdlib.h>
int klee_int(const char *name);
static char *kept;
int main(void) {
    int k = klee_int("k");
    char *p = malloc(8); //~ alarm memleak: confirmed
    char *q = malloc(16); //~ alarm memleak: bounded
    kept = q;
    if (k == 5)
        return 1;
    free(p);
    return 0;
}
