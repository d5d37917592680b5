// expect: reachable
// As after the loop, in a function called through a pointer.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
static int s; static void done(void) { if (s) reach_error(); } static void (*hook)(void);
int main(void) {
    hook = done;
    for (int i = 0; i < 3; i++) {
        if (__VERIFIER_nondet_int() == 1) return 0;
        s ^= 1;
    }
    hook();
    return 0;
}
