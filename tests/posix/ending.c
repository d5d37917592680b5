#include <stdio.h>
#include <stdlib.h>

static void first(void) {
    printf("registered first\n");
}

static void nested(void) {
    printf("registered while ending\n");
}

static void second(void) {
    printf("registered second\n");
    atexit(nested);
}

int main(void) {
    atexit(first);
    atexit(second);
    printf("not flushed by main");
    exit(3);
}
