/* __builtin_trap. */

#include <stdio.h>

int main(void) {
    puts("main");
    fflush(stdout);
    __builtin_trap();
}
