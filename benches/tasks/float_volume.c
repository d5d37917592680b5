// A volume control in steps of an eighth between 0 and 1, with a mute button; it serves until the device is switched off.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  double volume = 0.5;
  double before = 0.5;
  int muted = 0;
  while (1) {
    int button = __VERIFIER_nondet_int();
    if (button == 0)
      break;
    if (button == 1 && !muted) {
      volume += 0.125;
      if (volume > 1.0)
        volume = 1.0;
    } else if (button == 2 && !muted) {
      volume -= 0.125;
      if (volume < 0.0)
        volume = 0.0;
    } else if (button == 3) {
      if (muted) {
        volume = before;
      } else {
        before = volume;
        volume = 0.0;
      }
      muted = !muted;
    }
    if (volume < 0.0 || volume > 1.0)
      reach_error(); // expect: unreachable
    if (muted && volume != 0.0)
      reach_error(); // expect: unreachable
  }
  if (volume == 1.0 && before == 0.125)
    reach_error(); // expect: reachable
  if (muted && before == 1.0)
    reach_error(); // expect: reachable
  if (volume == 0.3)
    reach_error(); // expect: unreachable
  return 0;
}
