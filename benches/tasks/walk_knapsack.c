// A knapsack with 18 items: no choice within the weight limit is worth more than dynamic programming says.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define ITEMS 18
#define LIMIT 40

static const int weights[ITEMS] = {7, 3, 5, 9, 2, 8, 4, 6, 11, 3, 5, 7, 10, 2, 6, 9, 4, 8};
static const int values[ITEMS] = {10, 4, 8, 13, 3, 11, 5, 9, 16, 5, 6, 11, 15, 2, 8, 14, 7, 12};

static int optimum(void) {
  int best[LIMIT + 1] = {0};
  for (int i = 0; i < ITEMS; i++)
    for (int w = LIMIT; w >= weights[i]; w--)
      if (best[w - weights[i]] + values[i] > best[w])
        best[w] = best[w - weights[i]] + values[i];
  return best[LIMIT];
}

int main(void) {
  int bound = optimum();
  int weight = 0, value = 0;
  for (int i = 0; i < ITEMS; i++) {
    if (__VERIFIER_nondet_bool()) {
      weight += weights[i];
      value += values[i];
    }
  }
  if (weight <= LIMIT && value > bound)
    reach_error(); // expect: unreachable
  if (weight <= LIMIT && value == bound)
    reach_error(); // expect: reachable
  if (weight > LIMIT && value == 100)
    reach_error(); // expect: reachable
  return 0;
}
