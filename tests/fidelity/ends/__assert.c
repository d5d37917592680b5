/* __assert: another name of it. */

#include <stdio.h>

void __assert(const char *assertion, const char *file, int line) __attribute__((noreturn));

int main(void) {
    puts("main");
    fflush(stdout);
    __assert("x == y", "file.c", 3);
}
