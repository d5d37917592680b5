// Tests that what a callee's subtree learns about the caller's registers is kept: the loop counter decides, two frames below.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int mode = 3;

static int step(int input) {
  if (mode == 4) {
    reach_error(); //~ reach_error: reach_error called
    return -1;
  }
  if (input == 3)
    return 23;
  if (input == 4) {
    mode = 4;
    return 22;
  }
  return -2;
}

int main(void) {
  for (int round = 0; round < 2; round++) {
    int input = __VERIFIER_nondet_int();
    if (input < 1 || input > 4)
      return 0;
    if (step(input) == -1)
      return 0;
  }
  return 0;
}
