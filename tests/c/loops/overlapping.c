// expect: reachable
// expect with -DSAFE: unreachable
// Bytes of an array in a union with a number.
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
        u.byte[1] = u.byte[1] < OK(3, 4) ? u.byte[1] + 1 : 0;
        if (u.word == 0x400) reach_error();
    }
    return 0;
}
