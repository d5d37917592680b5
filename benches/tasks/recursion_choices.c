// A recursive search that takes one of three branches at each of 30 levels and carries a cost: the cost has bounds that are met.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define LEVELS 30

static int explore(int level, int cost) {
  if (level == 0)
    return cost;
  int choice = __VERIFIER_nondet_int();
  if (choice == 0)
    cost += 1;
  else if (choice == 1)
    cost += 4;
  else
    cost += 2;
  return explore(level - 1, cost);
}

int main(void) {
  int cost = explore(LEVELS, 0);
  if (cost < LEVELS)
    reach_error(); // expect: unreachable
  if (cost > 4 * LEVELS)
    reach_error(); // expect: unreachable
  if (cost == 4 * LEVELS)
    reach_error(); // expect: reachable
  if (cost == 2 * LEVELS)
    reach_error(); // expect: reachable
  return 0;
}
