/* The status that main returns, after handlers. */

#include <stdio.h>
#include <stdlib.h>

static void handler(void) {
    puts("handler");
    fflush(stdout);
}

int main(void) {
    atexit(handler);
    return 300;
}
