// A ring of five stations passes one token for 40 rounds: only its holder may enter its critical section.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define STATIONS 5
#define ROUNDS 40

static int token[STATIONS];
static int critical[STATIONS];

static int count(const int *flags) {
  int n = 0;
  for (int i = 0; i < STATIONS; i++)
    n += flags[i];
  return n;
}

int main(void) {
  int holder = 0;
  token[0] = 1;
  for (int round = 0; round < ROUNDS; round++) {
    int action = __VERIFIER_nondet_int();
    if (action == 0 && !critical[holder]) {
      token[holder] = 0;
      holder = (holder + 1) % STATIONS;
      token[holder] = 1;
    } else if (action == 1) {
      critical[holder] = 1;
    } else if (action == 2) {
      critical[holder] = 0;
    }
    if (count(token) != 1)
      reach_error(); // expect: unreachable
    if (count(critical) > 1)
      reach_error(); // expect: unreachable
    if (round == ROUNDS - 1 && critical[3])
      reach_error(); // expect: reachable
    if (round == ROUNDS - 1 && holder == 4 && !critical[4])
      reach_error(); // expect: reachable
  }
  return 0;
}
