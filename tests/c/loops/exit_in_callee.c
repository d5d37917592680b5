// expect: reachable
// expect with -DSAFE: unreachable
// The callee ends the program in all rounds but one.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
void exit(int);
static void check(int n) {
    if (n != OK(30, 5)) { if (in() > 5) exit(0); }
    else if (n == 5) reach_error();
}
int main(void) {
    int n = 0;
    while (in()) { check(n); n = n < 8 ? n + 1 : 0; }
    return 0;
}
