// A thermostat: readings of the temperature switch heating and cooling by rules with hysteresis, for 8 readings.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum mode { IDLE, HEATING, COOLING };

#define READINGS 8

int main(void) {
  enum mode mode = IDLE;
  int switches = 0;
  for (int i = 0; i < READINGS; i++) {
    int t = __VERIFIER_nondet_int();
    enum mode before = mode;
    if (mode == IDLE && t < 18)
      mode = HEATING;
    else if (mode == IDLE && t > 26)
      mode = COOLING;
    else if (mode == HEATING && t >= 21)
      mode = IDLE;
    else if (mode == COOLING && t <= 23)
      mode = IDLE;
    if (mode != before)
      switches++;
    if (before == HEATING && mode == COOLING)
      reach_error(); // expect: unreachable
    if (mode == HEATING && t >= 21)
      reach_error(); // expect: unreachable
    if (mode == COOLING && t == 24 && before == COOLING)
      reach_error(); // expect: reachable
  }
  if (switches % 2 == 0 && mode != IDLE)
    reach_error(); // expect: unreachable
  if (switches == READINGS)
    reach_error(); // expect: reachable
  return 0;
}
