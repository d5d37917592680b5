#include <setjmp.h>
#include <stdio.h>

static jmp_buf place;

static void deep(int n) {
    if (n == 0)
        longjmp(place, 7);
    deep(n - 1);
}

int main(void) {
    volatile int tries = 0;
    int value = setjmp(place);
    printf("%d %d\n", value, tries);
    if (tries++ < 2)
        deep(3);
    return 0;
}
