#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 3; //~ alarm -Wanalyzer-possible-null-dereference: bounded
    free(p);
    return 0;
}
