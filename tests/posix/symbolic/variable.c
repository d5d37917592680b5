// options: --sym-env MODE=1 --env LEVEL=3
// paths: 3
#include <stdio.h>
#include <stdlib.h>

/* The variable is empty, "x", or another character. */
int main(void) {
    const char *mode = getenv("MODE");
    if (atoi(getenv("LEVEL")) != 3)
        return 9;
    if (!*mode)
        return 0;
    if (*mode == 'x')
        puts("x");
    return 1;
}
