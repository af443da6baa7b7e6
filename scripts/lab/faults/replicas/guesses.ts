import { ADMIN } from '../api-process.ts';

const GUESSES = 30;
/** Guesses that docs/security.md allows for an account and a network: at once, and seconds until one more. */
const ALLOWED = { burst: 10, everySeconds: 6 } as const;
/** Nobody else in the run comes from here. */
const NETWORK = '203.0.113.7';

export interface Guessed {
  total: number;
  /** Guesses whose password was compared. */
  tested: number;
  allowed: number;
}

/** Guesses the password of an account, in turn at every replica. */
export async function guessPassword(url: string): Promise<Guessed> {
  const begun = performance.now();
  let tested = 0;
  for (let guess = 0; guess < GUESSES; guess += 1) {
    const answer = await fetch(`${url}/api/auth/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': NETWORK },
      body: JSON.stringify({ email: ADMIN.email, password: `wrong ${String(guess)}` }),
    });
    await answer.body?.cancel();
    if (answer.status !== 429) tested += 1;
  }
  const seconds = (performance.now() - begun) / 1000;
  return { total: GUESSES, tested, allowed: ALLOWED.burst + Math.ceil(seconds / ALLOWED.everySeconds) };
}
