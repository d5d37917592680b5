#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

static void show(const char *name) {
    const char *value = getenv(name);
    printf("%s=%s\n", name, value ? value : "(unset)");
}

int main(void) {
    clearenv();
    show("A");
    setenv("A", "one", 0);
    setenv("A", "two", 0);
    show("A");
    setenv("A", "three", 1);
    show("A");
    static char given[] = "B=put";
    putenv(given);
    show("B");
    given[2] = 'P';
    show("B");
    unsetenv("A");
    show("A");
    int count = 0;
    for (char **at = environ; at && *at; at++)
        count++;
    printf("%d\n", count);
    printf("%d\n", setenv("C=D", "x", 1));
    return 0;
}
