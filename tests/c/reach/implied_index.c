// expect: reachable
// expect with -DSAFE: unreachable
// x is an index, before it is known and after.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
static int table[4] = {7, 8, 9, 10};
int main(void) {
    unsigned x = (unsigned)__VERIFIER_nondet_int();
    if (x > 3) return 0;
    int before = table[x], *place = &table[x];
    table[2] = 20;
    if (x == 2) {
        if (before != 9) reach_error();
#ifndef SAFE
        if (*place == 20) reach_error();
#else
        if (*place == 9) reach_error();
#endif
    }
    return 0;
}
