// expect: reachable
// expect with -DSAFE: unreachable
// The number carries into the second byte.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
union both { unsigned word; unsigned char byte[4]; };
int main(void) {
    union both u = {0};
    while (in()) {
        u.word += OK(0x10000, 0x40);
        if (u.byte[1]) reach_error();
    }
    return 0;
}
