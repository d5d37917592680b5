// expect: reachable
// A function is asked, with the counter.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
static int is_late(long round) { return round >= 4; }
int main(void) {
    for (int i = 0; i < 5; i++)
        if (__VERIFIER_nondet_int() == 1 && is_late(i)) reach_error();
    return 0;
}
