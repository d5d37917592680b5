// stdin: pear\nfig\napple\nkiwi\nfig\n
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int by_value(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    char *lines[16], *line = NULL;
    size_t size = 0, count = 0;
    ssize_t length;
    while ((length = getline(&line, &size, stdin)) > 0) {
        line[length - 1] = 0;
        lines[count++] = strdup(line);
    }
    free(line);
    qsort(lines, count, sizeof *lines, by_name);
    for (size_t i = 0; i < count; i++)
        puts(lines[i]);
    char *wanted = "kiwi", *absent = "plum";
    printf("%d %d\n", bsearch(&wanted, lines, count, sizeof *lines, by_name) != NULL,
           bsearch(&absent, lines, count, sizeof *lines, by_name) != NULL);
    int numbers[100];
    unsigned x = 12345;
    for (int i = 0; i < 100; i++) {
        x = x * 1103515245 + 12345;
        numbers[i] = (int)(x >> 16) % 1000;
    }
    qsort(numbers, 100, sizeof *numbers, by_value);
    int sorted = 1;
    for (int i = 1; i < 100; i++)
        sorted &= numbers[i - 1] <= numbers[i];
    printf("%d %d %d\n", sorted, numbers[0], numbers[99]);
    return 0;
}
