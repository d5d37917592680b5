// Functions that callers passed, or put into structures.

void hit(void) {}

struct actions {
  int (*first)(int);
  int (*second)(int, int);
};
static int calls;
static int eight(int x) { return x & 8; }
static int nine(int x) {
  calls++;
  return x | 1;
}
static int both(int x, int y) { return x + y; }
static void passed(int (*function)(int), int x) {
  int before = calls, result = function(x);
  if (result == 8)
    hit(); // reachable
  if (result == 4 && calls == before)
    hit(); // unreachable
  if (calls - before > 1 || before - calls > 1)
    hit(); // unreachable
}
static void kept(struct actions *actions) {
  calls = 0;
  actions->first(1);
  if (calls == 2)
    hit(); // unreachable, cut
  if (calls == 1)
    hit(); // reachable
}
static void called_otherwise(struct actions *actions) {
  if (actions->second(3, 4) == 7)
    hit(); // reachable
}
int main(void) {
  struct actions actions = {nine, both};
  passed(eight, 8);
  passed(nine, 4);
  kept(&actions);
  called_otherwise(&actions);
  return 0;
}
