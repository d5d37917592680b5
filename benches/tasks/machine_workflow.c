// An approval workflow generated from a table: 40 nondeterministic actions on a document with flags for each reviewer.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum phase { DRAFT, REVIEW, APPROVED, PUBLISHED, ARCHIVED, PHASES };
enum action { SUBMIT, SIGN_A, SIGN_B, REJECT, PUBLISH, ARCHIVE, EDIT, ACTIONS };

// -1: the action is not allowed in the phase
static const signed char next_phase[PHASES][ACTIONS] = {
    {REVIEW, -1, -1, -1, -1, ARCHIVED, DRAFT},
    {-1, REVIEW, REVIEW, DRAFT, -1, -1, -1},
    {-1, -1, -1, DRAFT, PUBLISHED, -1, DRAFT},
    {-1, -1, -1, -1, -1, ARCHIVED, -1},
    {-1, -1, -1, -1, -1, -1, -1},
};

int main(void) {
  int phase = DRAFT;
  int signed_a = 0, signed_b = 0;
  int published = 0;
  int refused = 0;
  for (int i = 0; i < 40; i++) {
    int action;
    switch (__VERIFIER_nondet_int()) {
    case 0: action = SUBMIT; break;
    case 1: action = SIGN_A; break;
    case 2: action = SIGN_B; break;
    case 3: action = REJECT; break;
    case 4: action = PUBLISH; break;
    case 5: action = ARCHIVE; break;
    default: action = EDIT; break;
    }
    if (next_phase[phase][action] < 0) {
      refused = 1;
      continue;
    }
    phase = next_phase[phase][action];
    if (action == SIGN_A)
      signed_a = 1;
    if (action == SIGN_B)
      signed_b = 1;
    if (phase == DRAFT) {
      signed_a = 0;
      signed_b = 0;
    }
    if (phase == REVIEW && signed_a && signed_b)
      phase = APPROVED;
    if (phase == PUBLISHED)
      published++;
    if (phase == PUBLISHED && !(signed_a && signed_b))
      reach_error(); // expect: unreachable
    if (phase == REVIEW && signed_a && signed_b)
      reach_error(); // expect: unreachable
    if (published > 1)
      reach_error(); // expect: unreachable
  }
  if (phase == ARCHIVED && published && !refused) // 40 allowed actions: edit first
    reach_error(); // expect: reachable
  if (phase == ARCHIVED && signed_a && !signed_b)
    reach_error(); // expect: unreachable
  if (phase == REVIEW && signed_b)
    reach_error(); // expect: reachable
  if (phase == PUBLISHED)
    reach_error(); // expect: reachable
  return 0;
}
