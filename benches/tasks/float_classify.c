// Three sensor values are sorted into bands and weighed: the total of the weights stays in its range.
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

#define SENSORS 3

static double weight(double v) {
  if (v != v)
    return 0.0;
  if (v < 0.0)
    return 0.25;
  if (v < 10.0)
    return 0.5;
  if (v < 100.0)
    return 1.0;
  return 2.0;
}

int main(void) {
  double total = 0.0;
  int broken = 0;
  for (int i = 0; i < SENSORS; i++) {
    double w = weight(__VERIFIER_nondet_double());
    if (w == 0.0)
      broken++;
    total += w;
  }
  if (total > 2.0 * SENSORS)
    reach_error(); // expect: unreachable
  if (total == 0.0 && broken != SENSORS)
    reach_error(); // expect: unreachable
  if (total == 3.25)
    reach_error(); // expect: reachable
  if (broken == 1 && total == 0.75)
    reach_error(); // expect: reachable
  return 0;
}
