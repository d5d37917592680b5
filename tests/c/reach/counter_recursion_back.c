// expect: reachable
// expect with -DSAFE: unreachable
// The depth leaves the recursion, and the error is on the way back.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
static int s, back;
static void go(int depth) {
    if (depth >= 3) return;
    if (__VERIFIER_nondet_int() == 1) s = !s;
    go(depth + 1);
    if (s) back++;
#ifndef SAFE
    if (back == 3) reach_error();
#else
    if (back == 4) reach_error();
#endif
}
int main(void) {
    go(0);
    return 0;
}
