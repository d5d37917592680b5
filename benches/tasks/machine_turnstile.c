// A turnstile with an error state, 13 events: it turns only when a coin was taken, and a jam needs a service key.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum state { LOCKED, UNLOCKED, JAMMED, SERVICE };

int main(void) {
  enum state state = LOCKED;
  int coins = 0, passed = 0, repaired = 0;
  for (int i = 0; i < 13; i++) {
    int event = __VERIFIER_nondet_int();
    switch (state) {
    case LOCKED:
      if (event == 1) {
        coins++;
        state = UNLOCKED;
      } else if (event == 2) {
        state = JAMMED;
      }
      break;
    case UNLOCKED:
      if (event == 2) {
        passed++;
        state = LOCKED;
      }
      break;
    case JAMMED:
      if (event == 3)
        state = SERVICE;
      break;
    case SERVICE:
      if (event == 3) {
        repaired++;
        state = LOCKED;
      } else if (event == 1) {
        state = JAMMED;
      }
      break;
    }
    if (passed > coins)
      reach_error(); // expect: unreachable
    if (state == UNLOCKED && coins != passed + 1)
      reach_error(); // expect: unreachable
  }
  if (passed == 5 && repaired == 1 && state != LOCKED)
    reach_error(); // expect: unreachable
  if (passed == 5 && repaired == 1)
    reach_error(); // expect: reachable
  if (passed == 6 && state == JAMMED)
    reach_error(); // expect: reachable
  if (coins == 1 && state == SERVICE)
    reach_error(); // expect: reachable
  return 0;
}
