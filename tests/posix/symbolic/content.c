// options: --sym-files 1 2
// paths: 3
#include <stdio.h>

/* A file of two unknown bytes begins with "#!", with "#" only, or with something else. */
int main(void) {
    FILE *file = fopen("A", "r");
    if (getc(file) != '#')
        return 0;
    if (getc(file) == '!')
        puts("a script");
    return 1;
}
