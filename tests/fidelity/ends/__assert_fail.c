/* __assert_fail, by assert. */

#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv) {
    puts("main");
    fflush(stdout);
    assert(argc == 0);
    puts("behind");
    return argv == NULL;
}
