// expect: reachable
// After the loop the program ends, and only a destructor fails.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
static int s, over; __attribute__((destructor)) static void done(void) { if (over && s) reach_error(); }
int main(void) {
    
    for (int i = 0; i < 3; i++) {
        if (__VERIFIER_nondet_int() == 1) return 0;
        s ^= 1;
    }
    over = 1;
    return 0;
}
