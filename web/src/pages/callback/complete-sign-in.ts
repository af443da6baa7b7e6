import { isSignedOutStatus, request, RequestFailed } from '../../api/client.ts';
import { exchangeCode } from '../../api/sign-in.ts';
import { sessionToken } from '../../state/session-token.ts';

/** Explains a refusal of the provider or of Plimsoll to the person. */
const REFUSALS: Record<string, string> = {
  access_denied: 'The sign-in was cancelled at the provider.',
  invitation_other_address: 'The invitation is for another e-mail address, or the provider has not verified yours.',
};

const refusal = (code: string) => REFUSALS[code] ?? `The sign-in was refused: ${code.replaceAll('_', ' ')}.`;

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
