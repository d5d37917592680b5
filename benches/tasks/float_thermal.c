// A model of heating in steps of 0.1, which is not exact: ten steps give less than one, and the controller's bounds hold.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define STEPS 20

int main(void) {
  double temperature = 0.0;
  int heated = 0;
  for (int i = 0; i < STEPS; i++) {
    if (__VERIFIER_nondet_bool()) {
      temperature += 0.1;
      heated++;
    } else if (temperature >= 0.5) {
      temperature -= 0.5;
    }
  }
  if (temperature > 2.1)
    reach_error(); // expect: unreachable
  if (temperature < 0.0)
    reach_error(); // expect: unreachable
  if (heated == 10 && temperature == 1.0)
    reach_error(); // expect: unreachable
  if (heated == 10 && temperature > 0.99)
    reach_error(); // expect: reachable
  if (heated == 15 && temperature > 0.9 && temperature < 1.1)
    reach_error(); // expect: reachable
  return 0;
}
