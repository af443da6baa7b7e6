import type { Clock } from '../clock.ts';
import type { Creator } from '../tenancy/creator.ts';
import type { Owner } from '../tenancy/owner.ts';
import type { ClusterTokens } from './store.ts';
import { hashToken, newToken } from '../accounts/tokens.ts';

/** A copied command that nobody runs within a day leaves no working secret behind. */
const UNUSED_MS = 24 * 3_600_000;

/** `owner` null: the cluster belongs to the instance until the first account takes it over. Shown once, never again. */
export async function issueClusterToken(
  { tokens, clock }: { tokens: ClusterTokens; clock: Clock },
  owner: Owner | null,
  { name, createdBy }: { name: string | null; createdBy: Creator },
): Promise<{ id: string; token: string }> {
  const token = newToken('cluster');
  const now = clock.now();
  const entry = {
    owner,
    tokenHash: hashToken(token),
    name,
    lastFour: token.slice(-4),
    expiresUnusedAt: now + UNUSED_MS,
    createdBy,
  };
  const { id } = await tokens.create(entry, now);
  return { id, token };
}

/**
 * Makes a token known that came from outside: the chart gives the same one to API and collectors. It belongs to the
 * first account; revoked on the screen, it comes back at the next start until it is taken out of the Secret.
 */
export async function adoptClusterToken(
  { tokens, clock }: { tokens: ClusterTokens; clock: Clock },
  owner: Owner | null,
  token: string,
): Promise<void> {
  const tokenHash = hashToken(token);
  const isKnown = async () => (await tokens.find(tokenHash, clock.now())) !== null;
  if (await isKnown()) return;
  try {
    const entry = { owner, tokenHash, name: 'installed together', lastFour: token.slice(-4), expiresUnusedAt: null };
    await tokens.create({ ...entry, createdBy: 'plimsoll' }, clock.now());
  } catch (error) {
    // Another replica that started at the same moment was first.
    if (!(await isKnown())) throw error;
  }
}
