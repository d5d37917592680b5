// A recursive descent into a binary tree of depth 19 that turns left or right by inputs, with a token that is taken and given back.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define DEPTH 19

static int tokens = 1;

static unsigned descend(int depth, unsigned node) {
  if (depth == DEPTH)
    return node;
  unsigned leaf;
  if (__VERIFIER_nondet_bool()) {
    tokens++;
    leaf = descend(depth + 1, 2 * node);
    tokens--;
  } else {
    leaf = descend(depth + 1, 2 * node + 1);
  }
  return leaf;
}

int main(void) {
  unsigned leaf = descend(0, 1);
  if (tokens != 1)
    reach_error(); // expect: unreachable
  if (leaf < (1u << DEPTH) || leaf >= (2u << DEPTH))
    reach_error(); // expect: unreachable
  if (leaf == (1u << DEPTH) + 77777)
    reach_error(); // expect: reachable
  if (leaf == (2u << DEPTH) - 1)
    reach_error(); // expect: reachable
  return 0;
}
