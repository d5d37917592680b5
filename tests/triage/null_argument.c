// A function that need not look at what it gets: it is no proof that nothing fails.
#include <string.h>
int klee_int(const char *name);
int main(void) {
    int k = klee_int("k");
    char a[4] = "abc", b[4], *p = k == 5 ? 0 : a;
    memcpy(b, p, k == 5 ? 0 : 4); //~ alarm core.NonNullParamChecker: open
    if (k == 6)
        return (int)strlen(p); //~ alarm core.NonNullParamChecker: refuted
    if (k == 5)
        return (int)strlen(p); //~ alarm core.NonNullParamChecker: confirmed
    return b[0];
}
