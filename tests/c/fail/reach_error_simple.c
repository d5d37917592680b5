// Tests reach_error guarded by a condition on a nondeterministic value.
// paths: 2
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 1000 && x < 1002)
    reach_error(); //~ reach_error: reach_error called
  return 0;
}
