// Tests that what one path assumed in vain does not speak for a path on which the assumption can hold.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  int limit = 0, step = __VERIFIER_nondet_int();
  if (__VERIFIER_nondet_int() > 0)
    limit = 5;
  if (__VERIFIER_nondet_int() > 0)
    step = 3;
  else
    step = 4;
  __VERIFIER_assume(step > limit);
  if (limit == 0 && step == 4)
    reach_error(); //~ reach_error: reach_error called
  return 0;
}
