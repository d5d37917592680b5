// Reference-counted power domains: three devices take and drop references in any order, forever; a parent is on while a child is.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define DEVICES 3

static int in_use[DEVICES];
static int references = 0;
static int rail_on = 0;

static void get(int device) {
  if (in_use[device])
    return;
  if (references == 0)
    rail_on = 1;
  references++;
  in_use[device] = 1;
}

static void put(int device) {
  if (!in_use[device])
    return;
  in_use[device] = 0;
  references--;
  if (references == 0)
    rail_on = 0;
}

int main(void) {
  while (1) {
    int event = __VERIFIER_nondet_int();
    if (event == -1)
      break;
    switch (event) {
    case 0: get(0); break;
    case 1: get(1); break;
    case 2: get(2); break;
    case 10: put(0); break;
    case 11: put(1); break;
    case 12: put(2); break;
    case 20: put(0); put(1); put(2); break;
    default: break;
    }
    if (references != in_use[0] + in_use[1] + in_use[2])
      reach_error(); // expect: unreachable
    if (rail_on != (references > 0))
      reach_error(); // expect: unreachable
    if (references == 2 && !in_use[1])
      reach_error(); // expect: reachable
  }
  if (in_use[0] && in_use[1] && in_use[2])
    reach_error(); // expect: reachable
  return 0;
}
