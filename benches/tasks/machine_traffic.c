// Two traffic lights at a crossing, driven by timer events that may or may not come; they run forever.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

enum light { RED, AMBER, GREEN };

int main(void) {
  enum light north = RED, east = RED;
  int turn = 0;
  int request = 0;
  while (1) {
    _Bool timer = __VERIFIER_nondet_bool();
    _Bool button = __VERIFIER_nondet_bool();
    if (button)
      request = 1;
    if (timer) {
      if (north == RED && east == RED) {
        if (turn == 0)
          north = GREEN;
        else
          east = GREEN;
      } else if (north == GREEN) {
        north = AMBER;
      } else if (north == AMBER) {
        north = RED;
        turn = 1;
      } else if (east == GREEN) {
        if (request) {
          east = AMBER;
          request = 0;
        }
      } else if (east == AMBER) {
        east = RED;
        turn = 0;
      }
    }
    if (north != RED && east != RED)
      reach_error(); // expect: unreachable
    if (north != RED && turn == 1)
      reach_error(); // expect: unreachable
  }
}
