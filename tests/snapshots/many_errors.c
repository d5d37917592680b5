#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

static const char fixed[] = "fixed";

int main(void) {
    unsigned char what;
    int number;
    klee_make_symbolic(&what, sizeof what, "what");
    klee_make_symbolic(&number, sizeof number, "number");
    char *p = malloc(4);
    switch (what) {
    case 0:
        assert(number != 17);
        break;
    case 1:
        return 100 / (number - 3);
    case 2:
        free(p);
        free(p);
        break;
    case 3:
        *(volatile char *)fixed = 'x';
        break;
    case 4:
        abort();
    case 5:
        klee_report_error("many_errors.c", 29, "reported by the program", "user.err");
    case 6:
        return *(volatile int *)0;
    case 7:
        free(&number);
    }
    return 0;
}
