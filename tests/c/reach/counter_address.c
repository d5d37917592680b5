// expect: reachable
// The counter is changed through a pointer.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int i = 0, other = 0, *p = &other, s = 0;
    for (; i < 4; i++) {
        int in = __VERIFIER_nondet_int();
        if (in == 1) p = &i;
        else if (in == 2) { *p = 0; s++; }
        if (s == 4) reach_error();
    }
    return 0;
}
