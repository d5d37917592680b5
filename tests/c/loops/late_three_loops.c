// expect: reachable
// expect with -DSAFE: unreachable
// What the first loop leaves is only too much for the third one if the second one was skipped.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int x = 0, y = 0;
    while (x < 20 && in()) x++;
    while (x > 5 && OK(1, in())) { x--; y++; }
    while (in()) { if (x > 18) reach_error(); if (x > 5) x--; }
    return 0;
}
