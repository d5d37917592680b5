// A driver's dispatch routine: requests are completed or passed on exactly once, whatever the device and the lower driver do.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { SUCCESS = 0, PENDING = 259, INVALID = -1, TIMEOUT = -2 };
enum { NOT_DONE, COMPLETED, PASSED };

static int done = NOT_DONE;
static int powered = 1;
static int queue_length = 0;

static void complete(void) {
  if (done != NOT_DONE)
    reach_error(); // expect: unreachable
  done = COMPLETED;
}

static int pass_down(void) {
  if (done == COMPLETED)
    reach_error(); // expect: unreachable
  done = PASSED;
  switch (__VERIFIER_nondet_int()) {
  case 0: return SUCCESS;
  case 1: return PENDING;
  default: return TIMEOUT;
  }
}

static int dispatch_read(int length) {
  if (length <= 0 || length > 512) {
    complete();
    return INVALID;
  }
  if (!powered) {
    queue_length++;
    return PENDING;
  }
  return pass_down();
}

static int dispatch_power(int wanted) {
  powered = wanted != 0;
  int status = pass_down();
  if (status == TIMEOUT)
    powered = 0;
  return status;
}

static int dispatch_control(int code) {
  int status = SUCCESS;
  switch (code) {
  case 0x10:
    break;
  case 0x11:
    if (queue_length > 0)
      queue_length--;
    break;
  case 0x12:
    return pass_down();
  default:
    status = INVALID;
  }
  complete();
  return status;
}

int main(void) {
  for (int request = 0; request < 3; request++) {
    int status;
    done = NOT_DONE;
    switch (__VERIFIER_nondet_int()) {
    case 3: status = dispatch_read(__VERIFIER_nondet_int()); break;
    case 22: status = dispatch_power(__VERIFIER_nondet_int()); break;
    case 14: status = dispatch_control(__VERIFIER_nondet_int()); break;
    default: status = INVALID; complete(); break;
    }
    if (done == NOT_DONE && status != PENDING)
      reach_error(); // expect: unreachable
    if (done == COMPLETED && status == PENDING)
      reach_error(); // expect: unreachable
    if (status == PENDING && queue_length == 1 && done == PASSED)
      reach_error(); // expect: reachable
    if (queue_length == 2)
      reach_error(); // expect: reachable
  }
  if (!powered && queue_length == 0)
    reach_error(); // expect: reachable
  return 0;
}
