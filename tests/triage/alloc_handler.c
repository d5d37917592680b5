// What deals with a failing allocation is reached only if allocations fail.
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p), *q = 0;
    if (!p)
        return *q; //~ alarm core.NullDereference: bounded
    free(p);
    return 0;
}
