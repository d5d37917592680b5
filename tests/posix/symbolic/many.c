// options: --sym-args 0 2 1 --sym-stdin 1
// paths: 14
#include <stdio.h>

/* No argument, or one or two that are empty or not: 1 + 2 + 4 ways; and the byte of input is a digit or not. */
int main(int argc, char **argv) {
    int empty = 0;
    for (int i = 1; i < argc; i++)
        if (!argv[i][0])
            empty++;
    unsigned c = (unsigned)getchar();
    if (c - '0' < 10)
        return empty;
    return 10 + empty;
}
