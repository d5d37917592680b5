// A login with a challenge: the server checks a checksum of the answer; replays and wrong orders are refused. Five messages.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

enum kind { HELLO, RESPONSE, REQUEST, BYE };

struct message {
  unsigned char kind;
  unsigned char nonce;
  unsigned char check;
};

static struct message receive(void) {
  struct message m;
  m.kind = __VERIFIER_nondet_uchar();
  m.nonce = __VERIFIER_nondet_uchar();
  m.check = __VERIFIER_nondet_uchar();
  return m;
}

int main(void) {
  unsigned char challenge = 0x5a;
  int greeted = 0, trusted = 0, served = 0, alarms = 0;
  for (int i = 0; i < 5; i++) {
    struct message m = receive();
    switch (m.kind) {
    case HELLO:
      greeted = 1;
      trusted = 0;
      challenge = (unsigned char)(challenge * 5 + 3);
      break;
    case RESPONSE:
      if (!greeted || m.nonce != challenge)
        alarms++;
      else if (m.check == (unsigned char)(m.nonce ^ 0xa7))
        trusted = 1;
      break;
    case REQUEST:
      if (trusted)
        served++;
      else
        alarms++;
      break;
    case BYE:
      greeted = 0;
      trusted = 0;
      break;
    default:
      alarms++;
    }
    if (trusted && !greeted)
      reach_error(); // expect: unreachable
    if (trusted && challenge == 0x5a)
      reach_error(); // expect: unreachable
    if (served == 3)
      reach_error(); // expect: reachable
    if (served > 0 && alarms > 2)
      reach_error(); // expect: unreachable
    if (served == 1 && alarms == 2)
      reach_error(); // expect: reachable
  }
  if (alarms == 5)
    reach_error(); // expect: reachable
  return 0;
}
