// expect: reachable
// expect with -DSAFE: unreachable
// x is in memory too, in whole and in bytes.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
struct twin { int first, second; };
int main(void) {
    struct twin t;
    t.first = t.second = __VERIFIER_nondet_int();
    if (t.first == 261) {
        unsigned char *bytes = (unsigned char *)&t.second;
        if (t.second != 261) reach_error();
#ifndef SAFE
        if (bytes[0] == 5 && bytes[1] == 1) reach_error();
#else
        if (bytes[0] == 5 && bytes[1] == 2) reach_error();
#endif
    }
    return 0;
}
