/* __builtin_debugtrap, which only clang has. */

#include <stdio.h>

int main(void) {
    puts("main");
    fflush(stdout);
#ifdef NATIVE
    __asm__ volatile("int3");
#else
    __builtin_debugtrap();
#endif
    return 0;
}
