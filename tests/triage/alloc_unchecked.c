#include <stdlib.h>
#include <string.h>
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 3; //~ alarm -Wanalyzer-possible-null-dereference: confirmed
    char *q = strdup("text");
    if (q)
        q[0] = 'T'; //~ alarm -Wanalyzer-possible-null-dereference: bounded
    free(q);
    free(p);
    return 0;
}
