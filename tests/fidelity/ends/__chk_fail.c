/* __chk_fail: by a copy that is larger than its destination. */

#include <stddef.h>
#include <stdio.h>

void *__memcpy_chk(void *to, const void *from, size_t n, size_t available);

int main(void) {
    char small[4];
    puts("main");
    fflush(stdout);
    __memcpy_chk(small, "too long", 9, sizeof small);
    puts("behind");
    return small[0];
}
