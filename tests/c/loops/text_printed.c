// expect: reachable
// expect with -DSAFE: unreachable
// What is printed decides nothing, what is read from a text does.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int snprintf(char *, unsigned long, const char *, ...);
int main(void) {
    char text[8];
    int n = 0;
    while (in()) {
        n = n < OK(8, 9) ? n + 1 : n;
        snprintf(text, sizeof text, "%d", n);
        if (text[0] == '9') reach_error();
    }
    return 0;
}
