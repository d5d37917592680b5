// The server side of a secure handshake as a switch in an endless loop; messages and options are nondeterministic.
// The loop ends when the handshake is done or fails.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum {
  S_START = 100,
  S_HELLO_IN = 110,
  S_HELLO_OUT = 120,
  S_CERT_OUT = 130,
  S_KEY_OUT = 140,
  S_CERT_REQUEST = 150,
  S_DONE_OUT = 160,
  S_CERT_IN = 170,
  S_KEY_IN = 180,
  S_VERIFY_IN = 190,
  S_CIPHER_IN = 200,
  S_FINISH_IN = 210,
  S_CIPHER_OUT = 220,
  S_FINISH_OUT = 230,
  S_FLUSH = 240,
  S_OK = 250,
};

int main(void) {
  int state = S_START;
  int next = 0;
  int resumed = 0, want_cert = 0, got_cert = 0, verified = 0, cipher_on = 0, key = 0;

  while (1) {
    int input = __VERIFIER_nondet_int();
    switch (state) {
    case S_START:
      state = S_HELLO_IN;
      break;
    case S_HELLO_IN:
      if (input < 0)
        return 1; // a broken message
      resumed = input == 7;
      state = S_HELLO_OUT;
      break;
    case S_HELLO_OUT:
      if (resumed)
        state = S_CIPHER_OUT;
      else
        state = S_CERT_OUT;
      break;
    case S_CERT_OUT:
      state = S_KEY_OUT;
      break;
    case S_KEY_OUT:
      if (input > 0) {
        state = S_CERT_REQUEST;
      } else {
        state = S_DONE_OUT;
      }
      break;
    case S_CERT_REQUEST:
      want_cert = 1;
      state = S_DONE_OUT;
      break;
    case S_DONE_OUT:
      next = want_cert ? S_CERT_IN : S_KEY_IN;
      state = S_FLUSH;
      break;
    case S_FLUSH:
      if (input == 0)
        break; // try again
      state = next;
      break;
    case S_CERT_IN:
      got_cert = input > 0; // it may be empty
      state = S_KEY_IN;
      break;
    case S_KEY_IN:
      if (input == -1)
        return 1;
      key = 1;
      state = got_cert ? S_VERIFY_IN : S_CIPHER_IN;
      break;
    case S_VERIFY_IN:
      if (input != 42)
        return 1;
      verified = 1;
      state = S_CIPHER_IN;
      break;
    case S_CIPHER_IN:
      if (input <= 0)
        return 1;
      cipher_on = 1;
      state = S_FINISH_IN;
      break;
    case S_FINISH_IN:
      if (!cipher_on)
        reach_error(); // expect: unreachable
      state = resumed ? S_OK : S_CIPHER_OUT;
      break;
    case S_CIPHER_OUT:
      state = S_FINISH_OUT;
      break;
    case S_FINISH_OUT:
      next = resumed ? S_CIPHER_IN : S_OK;
      state = S_FLUSH;
      break;
    case S_OK:
      if (!resumed && !key)
        reach_error(); // expect: unreachable
      if (got_cert && !verified)
        reach_error(); // expect: unreachable
      if (want_cert && !verified)
        reach_error(); // expect: reachable
      if (resumed && cipher_on)
        reach_error(); // expect: reachable
      if (!resumed && input == 1)
        reach_error(); // expect: reachable
      return 0;
    default:
      reach_error(); // expect: unreachable
    }
  }
}
