// All paths through a layered graph, from left to right: none is shorter than the shortest, computed backwards.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define LAYERS 14
#define WIDTH 4

static int weight(int layer, int from, int to) {
  return 1 + (layer * 7 + from * 5 + to * 3) % 11;
}

static int shortest(void) {
  int best[WIDTH] = {0};
  for (int layer = LAYERS - 1; layer >= 0; layer--) {
    int next[WIDTH];
    for (int from = 0; from < WIDTH; from++) {
      next[from] = weight(layer, from, 0) + best[0];
      for (int to = 1; to < WIDTH; to++) {
        int length = weight(layer, from, to) + best[to];
        if (length < next[from])
          next[from] = length;
      }
    }
    for (int from = 0; from < WIDTH; from++)
      best[from] = next[from];
  }
  return best[0];
}

int main(void) {
  int bound = shortest();
  int node = 0;
  int length = 0;
  for (int layer = 0; layer < LAYERS; layer++) {
    int to;
    switch (__VERIFIER_nondet_int()) {
    case 0: to = 0; break;
    case 1: to = 1; break;
    case 2: to = 2; break;
    default: to = 3; break;
    }
    length += weight(layer, node, to);
    node = to;
  }
  if (length < bound)
    reach_error(); // expect: unreachable
  if (length == bound)
    reach_error(); // expect: reachable
  if (length > 2 * bound)
    reach_error(); // expect: reachable
  return 0;
}
