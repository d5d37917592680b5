// expect: reachable
// Rounds that jump go past the unequal bound, others meet it.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int s = 0, i = 0, round = 0;
    while (i != 4) {
        int in = __VERIFIER_nondet_int();
        if (++round > 6) return 0;
        if (s == 0) {
            s = 1;
            if (in == 1) { i += 3; continue; }
            i += 5;
            continue;
        }
        i++;
        if (in == 1) s++;
        if (s == 4) reach_error();
    }
    return 0;
}
