#include <stdio.h>

static int ready;

__attribute__((constructor)) static void prepare(void) {
    FILE *file = fopen("made", "w");
    fputs("early\n", file);
    fclose(file);
    ready = 1;
}

int main(void) {
    char line[16];
    FILE *file = fopen("made", "r");
    printf("%d %s", ready, fgets(line, sizeof line, file));
    fclose(file);
    return 0;
}
