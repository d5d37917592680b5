#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void put(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    fputs(text, file);
    fclose(file);
}

static void show(const char *name) {
    char text[32] = "";
    FILE *file = fopen(name, "r");
    if (file) {
        fgets(text, sizeof text, file);
        fclose(file);
    }
    printf("%s: %s\n", name, file ? text : "none");
}

static void move(const char *from, const char *to) {
    errno = 0;
    int result = rename(from, to);
    printf("%s -> %s: %d %d\n", from, to, result, errno);
}

int main(void) {
    put("a", "one");
    put("b", "two");
    move("a", "b");
    show("a");
    show("b");
    move("none", "x");
    mkdir("d", 0755);
    mkdir("d/e", 0755);
    move("b", "d");
    move("d", "b");
    move("b", "d/b");
    show("d/b");
    move("d", "d/e/inside");
    move("d/e", "e");
    move("e", "d");
    move("d", "e");
    show("e/b");
    move("e", "e");
    link("e/b", "hard");
    move("hard", "e/b");
    show("hard");
    move("hard", "x/");
    move("e/.", "y");
    struct stat status;
    stat("e", &status);
    printf("%d\n", S_ISDIR(status.st_mode));
    return 0;
}
