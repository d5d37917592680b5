// env: HOME=/home/somebody
#include <stdio.h>
#include <stdlib.h>

static int ready;
static const char *home;

__attribute__((constructor(200))) static void look(void) {
    home = getenv("HOME");
}

__attribute__((constructor(300))) static void prepare(void) {
    FILE *file = fopen("made", "w");
    fputs(home ? "early\n" : "too early\n", file);
    fclose(file);
    ready = 1;
}

int main(void) {
    char line[16];
    FILE *file = fopen("made", "r");
    printf("%d %s", ready, fgets(line, sizeof line, file));
    printf("%s\n", home);
    fclose(file);
    return 0;
}
