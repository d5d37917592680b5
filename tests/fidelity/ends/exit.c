/* exit: the status, destructors, and handlers in the opposite order; also those that are left when a handler exits. */

#include <stdio.h>
#include <stdlib.h>

static void first(void) {
    puts("first");
}

static void second(void) {
    puts("second exits");
    fflush(stdout);
    exit(7);
}

static void third(void) {
    puts("third registers");
    atexit(first);
}

__attribute__((destructor)) static void destructor(void) {
    puts("destructor");
    fflush(stdout);
}

int main(void) {
    atexit(first);
    atexit(second);
    atexit(third);
    puts("main");
    exit(3);
}
