// An elevator controller between four floors: events call it, move it, open and close its door; it runs forever.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define FLOORS 4

static int floor_now = 0;
static int door_open = 0;
static int wanted = -1;
static int moving = 0;

static void on_call(int target) {
  if (wanted < 0 && target != floor_now && !door_open)
    wanted = target;
  else if (target == floor_now && !moving)
    door_open = 1;
}

static void on_tick(void) {
  if (wanted < 0)
    return;
  moving = 1;
  if (floor_now < wanted)
    floor_now++;
  else if (floor_now > wanted)
    floor_now--;
  if (floor_now == wanted) {
    wanted = -1;
    moving = 0;
    door_open = 1;
  }
}

int main(void) {
  while (1) {
    int event = __VERIFIER_nondet_int();
    if (0 <= event && event < FLOORS)
      on_call(event);
    else if (event == 10)
      on_tick();
    else if (event == 11)
      door_open = 0;
    if (moving && door_open)
      reach_error(); // expect: unreachable
    if (floor_now < 0 || floor_now >= FLOORS)
      reach_error(); // expect: unreachable
    if (wanted == floor_now)
      reach_error(); // expect: unreachable
    if (door_open && wanted >= 0) // called while the door is open: by the same floor
      reach_error(); // expect: reachable
    if (floor_now == 3 && door_open)
      reach_error(); // expect: reachable
  }
}
