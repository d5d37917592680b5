// An alarm panel of rules over six state variables: four inputs, 12 steps. Each rule fires on an event and a condition.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int armed = 0;
static int zone = 5;
static int code = 0;
static int siren = 0;
static int delay = 3;
static int tamper = 0;

static void step(int input) {
  if (input == 1 && armed == 0 && zone == 5) { // arm
    armed = 1;
    delay = 3;
    code = 0;
  } else if (input == 2 && armed == 1 && delay > 0) { // movement within the delay
    delay--;
    zone = 6;
  } else if (input == 2 && armed == 1 && delay == 0) { // movement after it
    siren = 1;
    zone = 7;
  } else if (input == 3 && code < 3) { // a digit
    code++;
  } else if (input == 3 && code == 3 && armed == 1 && siren == 0) { // the last digit disarms
    armed = 0;
    zone = 5;
    code = 0;
  } else if (input == 4 && siren == 1) { // the cover is opened
    tamper = 1;
    code = 0;
  } else if (input == 4 && zone == 6) { // reset of the zone
    zone = 5;
    if (code > 0)
      code--;
  }
}

int main(void) {
  for (int i = 0; i < 12; i++) {
    int input = __VERIFIER_nondet_int();
    if (input < 1 || input > 4)
      return 0;
    step(input);
    if (siren == 1 && delay != 0)
      reach_error(); // expect: unreachable
    if (tamper == 1 && siren == 0)
      reach_error(); // expect: unreachable
    if (zone == 7 && armed == 0)
      reach_error(); // expect: unreachable
    if (tamper == 1 && code == 3)
      reach_error(); // expect: reachable
    if (armed == 0 && delay == 0 && zone == 5 && code == 2)
      reach_error(); // expect: reachable
  }
  if (siren == 1 && tamper == 0 && zone == 7)
    reach_error(); // expect: reachable
  return 0;
}
