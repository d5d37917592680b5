// A client that connects, logs in and fetches, with retries: each call may fail; at most three tries for each step.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum step { CONNECT, LOGIN, FETCH, LOGOUT, DONE, FAILED };

#define TRIES 3

int main(void) {
  enum step step = CONNECT;
  int tries = 0, total = 0;
  int session = 0, data = 0;
  while (step != DONE && step != FAILED) {
    int answer = __VERIFIER_nondet_int();
    total++;
    if (answer < 0) {
      tries++;
      if (tries == TRIES)
        step = step == LOGOUT ? DONE : FAILED;
      continue;
    }
    tries = 0;
    switch (step) {
    case CONNECT:
      step = LOGIN;
      break;
    case LOGIN:
      session = 1;
      step = answer == 5 ? LOGOUT : FETCH;
      break;
    case FETCH:
      data += 1 + (answer & 3);
      if (data >= 6)
        step = LOGOUT;
      break;
    case LOGOUT:
      session = 0;
      step = DONE;
      break;
    default:
      reach_error(); // expect: unreachable
    }
  }
  if (data > 9)
    reach_error(); // expect: unreachable
  if (total > 27) // 3 for each of connect and login, 3 for each of 6 fetches, and 3
    reach_error(); // expect: unreachable
  if (step == DONE && session)
    reach_error(); // expect: reachable
  if (step == FAILED && session && data == 5)
    reach_error(); // expect: reachable
  if (total == 27)
    reach_error(); // expect: reachable
  return 0;
}
