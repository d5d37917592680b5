// stdin: first line\nsecond\n\nno newline
#include <ctype.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/stat.h>

int main(void) {
    char c;
    printf("%zd %c\n", read(0, &c, 1), c);
    int lines = 0, words = 0, bytes = 0, inside = 0, next;
    while ((next = getchar()) != EOF) {
        bytes++;
        lines += next == '\n';
        if (!isspace(next) && !inside)
            words++;
        inside = !isspace(next);
    }
    printf("%d %d %d\n", lines, words, bytes);
    printf("%d %d\n", getchar(), feof(stdin) != 0);
    printf("%zd\n", read(0, &c, 1));
    struct stat status;
    fstat(0, &status);
    printf("%d %d\n", S_ISFIFO(status.st_mode), isatty(0));
    return 0;
}
