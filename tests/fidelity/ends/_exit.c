/* _exit: the status, without handlers and destructors. */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void handler(void) {
    puts("handler");
    fflush(stdout);
}

__attribute__((destructor)) static void destructor(void) {
    handler();
}

int main(void) {
    atexit(handler);
    puts("main");
    fflush(stdout);
    _exit(0x1fe);
}
