// A mail server's session: commands in order, 14 of them; a message is accepted only between its envelope and its end.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum command { HELO = 1, MAIL, RCPT, DATA, DOT, RSET, QUIT };
enum state { CONNECTED, GREETED, SENDER, RECIPIENT, BODY, CLOSED };

#define COMMANDS 14

int main(void) {
  enum state state = CONNECTED;
  int recipients = 0, messages = 0, errors = 0;
  for (int i = 0; i < COMMANDS && state != CLOSED; i++) {
    int command = __VERIFIER_nondet_int();
    int ok = 1;
    switch (command) {
    case HELO:
      if (state == CONNECTED)
        state = GREETED;
      else
        ok = 0;
      break;
    case MAIL:
      if (state == GREETED)
        state = SENDER;
      else
        ok = 0;
      break;
    case RCPT:
      if ((state == SENDER || state == RECIPIENT) && recipients < 3) {
        state = RECIPIENT;
        recipients++;
      } else {
        ok = 0;
      }
      break;
    case DATA:
      if (state == RECIPIENT)
        state = BODY;
      else
        ok = 0;
      break;
    case DOT:
      if (state == BODY) {
        messages++;
        recipients = 0;
        state = GREETED;
      } else {
        ok = 0;
      }
      break;
    case RSET:
      if (state != CONNECTED) {
        recipients = 0;
        state = GREETED;
      }
      break;
    case QUIT:
      state = CLOSED;
      break;
    default:
      ok = 0;
    }
    if (!ok && ++errors == 3)
      state = CLOSED;
    if (state == BODY && recipients == 0)
      reach_error(); // expect: unreachable
    if (state == GREETED && recipients != 0)
      reach_error(); // expect: unreachable
    if (state == BODY && recipients == 3 && errors == 2)
      reach_error(); // expect: reachable
  }
  if (messages > 3)
    reach_error(); // expect: unreachable
  if (messages == 2 && errors == 2)
    reach_error(); // expect: reachable
  if (messages == 0 && state == CLOSED)
    reach_error(); // expect: reachable
  return 0;
}
