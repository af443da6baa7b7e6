import { expect, it } from 'vitest';
import { completeSignIn } from './complete-sign-in.ts';

it.each([
  ['sign_up_closed', /^No account exists for this sign-in.*Ask the operator to invite you/],
  ['invitation_invalid', /Ask for a new one\.$/],
  ['state_invalid', /Try again\.$/],
  ['some_new_code', /^The sign-in was refused: some new code\.$/],
])('says what to do when a sign-in ends with %s', async (error, words) => {
  await expect(completeSignIn({ token: null, error })).rejects.toThrow(words);
});
