// expect: reachable
// expect with -DSAFE: unreachable
// A pointer is null or one of some addresses, by an input; it is followed behind decisions on other inputs, so that what is learnt there has it as a register.
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static char letters[] = "acz";
static int weights[] = {1, 20, 3};

static int count(int other) {
    int sum = 0;
    for (int bit = 0; bit < 4; bit++)
        if (other >> bit & 1)
            sum++;
    return sum;
}

int main(void) {
    char *found = strchr(letters, __VERIFIER_nondet_int());
    int sum = count(__VERIFIER_nondet_int());
    if (!found || !*found)
        return 0;
    sum += weights[found - letters];
    if (*found == 'c')
        sum += count(__VERIFIER_nondet_int());
#ifdef SAFE
    if (sum > 28)
#else
    if (sum == 28)
#endif
        reach_error();
    return 0;
}
