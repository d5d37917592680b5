// expect: reachable
// expect with -DSAFE: unreachable
// Two ways into one loop, past each other's test.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int x = in() & 3, y = 0;
    if (in()) goto middle;
top:
    y = y < 5 ? y + 1 : y;
    if (x == 3 && y == OK(6, 5)) reach_error();
middle:
    x = OK(x & 1, (x + y) & 3);
    if (in()) goto top;
    return 0;
}
