// expect: reachable
// expect with -DSAFE: unreachable
// What is pushed is odd, so is what is popped.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int s[32], top = 0;
    while (in()) {
        if (in() && top < 32) s[top++] = OK(2 * (in() & 7) + 1, top == 3 ? 2 : 1);
        else if (top > 0) { int x = s[--top]; if (!(x & 1)) reach_error(); }
    }
    return 0;
}
