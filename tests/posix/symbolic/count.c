// options: --sym-args 1 3 1
// paths: 3
#include <stdio.h>

/* One, two or three arguments, and nothing looks into them. */
int main(int argc, char **argv) {
    (void)argv;
    printf("%d\n", argc);
    return 0;
}
