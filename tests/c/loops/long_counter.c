// expect: reachable
// expect with -DSAFE: unreachable
// Over 32 bits only a long counter gets.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    unsigned long x = 0;
    while (in()) { x += 0x60000000; if (OK((x & 1) != 0, x == 0x120000000)) reach_error(); }
    return 0;
}
