// expect: reachable
// expect with -DSAFE: unreachable
// A pointer is null or an address, without a branch; that it is not null is decided before it is followed, behind other decisions.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int numbers[2] = {3, 40};

int main(void) {
    int in = __VERIFIER_nondet_int(), other = __VERIFIER_nondet_int();
    long choice = (long)&numbers[in & 1] & -(long)(in >= 7);
    int sum = 0;
    for (int bit = 0; bit < 3; bit++)
        if (other >> bit & 1)
            sum++;
    if (!choice)
        return 0;
    sum += *(int *)choice;
#ifdef SAFE
    if (sum > 43 || (sum > 6 && sum < 40))
#else
    if (sum == 43)
#endif
        reach_error();
    return 0;
}
