// expect: reachable
// expect with -DSAFE: unreachable
// Part of a struct is copied after many rounds.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
void *memcpy(void *, const void *, unsigned long);
struct s { char c; short h; int w; long l; } s, t;
int main(void) {
    int n = 0;
    while (in()) {
        n = n < 25 ? n + 1 : 0;
        if (n == 15) memcpy(&t, &s, sizeof s);
        if (n == 18) t.h = 3;
        if (n == 22) memcpy((char *)&s, &t, OK(2, 3));
        if (s.h == 3) reach_error();
        if (s.h > 0) s.h = 0;
    }
    return 0;
}
