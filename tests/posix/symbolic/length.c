// options: --sym-arg 2
// paths: 3
#include <stdio.h>
#include <string.h>

/* strlen decides at each of two characters whether it is the end: lengths 0, 1 and 2. */
int main(int argc, char **argv) {
    printf("%d %zu\n", argc, strlen(argv[1]));
    return 0;
}
