// What is lost is allocated in another function: that nothing of this line is lost says nothing.
#include <stdio.h>
#include <stdlib.h>
static char *make(void) {
    return malloc(3);
}
int main(void) {
    char *p = make();
    puts(p ? "made" : "not made"); //~ alarm memleak: open
    return 0;
}
