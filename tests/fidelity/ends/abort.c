/* abort: without handlers. */

#include <stdio.h>
#include <stdlib.h>

static void handler(void) {
    puts("handler");
    fflush(stdout);
}

int main(void) {
    atexit(handler);
    puts("main");
    fflush(stdout);
    abort();
}
