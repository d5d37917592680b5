/* __cxa_atexit: handlers with an argument, in turn with others. */

#include <stdio.h>
#include <stdlib.h>

int __cxa_atexit(void (*handler)(void *), void *argument, void *library);

static void plain(void) {
    puts("plain");
    fflush(stdout);
}

static void count(void *number) {
    printf("%d\n", *(int *)number);
    fflush(stdout);
}

int main(void) {
    static int numbers[50];
    int failures = 0;
    for (int i = 0; i < 50; i++) {
        numbers[i] = i;
        failures += __cxa_atexit(count, &numbers[i], NULL) != 0;
        if (i % 20 == 7)
            atexit(plain);
    }
    return failures;
}
