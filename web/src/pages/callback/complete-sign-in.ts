import { isSignedOutStatus, request, RequestFailed } from '../../api/client.ts';
import { exchangeCode } from '../../api/sign-in.ts';
import { sessionToken } from '../../state/session-token.ts';

/** Explains a refusal of the provider or of Plimsoll to the person. */
const REFUSALS: Record<string, string> = {
  sign_up_closed:
    'No account exists for this sign-in, and it may not create one. Ask the operator to invite you, or to allow your address, domain or GitHub organisation.',
  email_taken: 'Another account has this e-mail address. Sign in the way you did before.',
  invitation_invalid: 'The invitation was used, or it has expired. Ask for a new one.',
  state_invalid: 'The sign-in took too long, or it began in another browser. Try again.',
  provider_failed: 'The provider did not complete the sign-in. Try again.',
  access_denied: 'The sign-in was cancelled at the provider.',
  invitation_other_address: 'The invitation is for another e-mail address, or the provider has not verified yours.',
};

/** Returns why a sign-in ended with a code of the API, and what to do. */
export const refusal = (code: string): string =>
  REFUSALS[code] ?? `The sign-in was refused: ${code.replaceAll('_', ' ')}.`;

interface Arrival {
  token: string | null;
  error: string | null;
}

/**
 * Trades the callback's code for a session and asks who that is. Throws with the text to show.
 * A refused profile clears the token again; an API that cannot answer right now does not.
 */
export async function completeSignIn({ token, error }: Arrival): Promise<void> {
  if (token === null) throw new Error(error === null ? 'No authentication token received' : refusal(error));
  await exchangeCode({ code: token });
  try {
    await request('/api/auth/profile');
  } catch (failure) {
    if (!(failure instanceof RequestFailed) || !isSignedOutStatus(failure.status)) return;
    sessionToken.set(null);
    throw failure;
  }
}
