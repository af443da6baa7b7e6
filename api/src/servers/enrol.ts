import { createHash } from 'node:crypto';
import type { EnrolAnswer, EnrolRequest } from '@plimsoll/contract/wire/install';
import type { Clock } from '../clock.ts';
import { requireServers, type PlanInForce } from '../accounts/plans.ts';
import type { Owner } from '../accounts/owner.ts';
import { CodedError } from '../errors.ts';
import type { Agents, EnrolmentTokens } from './store.ts';
import { hashToken, newToken, tokenType } from '../accounts/tokens.ts';

/** Lifetime of the token in an install command: long enough to paste it, too short to keep it. */
const ENROLMENT_TOKEN_MS = 24 * 3600 * 1000;
/** Lifetime of the token that this machine's own collector receives at every start. */
export const LOCAL_ENROLMENT_TOKEN_MS = 3600 * 1000;

export interface EnrolDeps {
  agents: Agents;
  enrolmentTokens: EnrolmentTokens;
  clock: Clock;
  reportIntervalSeconds: number;
  planLimits: PlanInForce;
}
export interface IssuedEnrolmentToken {
  id: string;
  token: string;
  expiresAt: number;
}

/** `owner` null: what enrols with it belongs to the instance until the first account takes it over. */
export async function issueEnrolmentToken(
  { enrolmentTokens, clock }: Pick<EnrolDeps, 'enrolmentTokens' | 'clock'>,
  owner: Owner | null,
  lifetimeMs: number = ENROLMENT_TOKEN_MS,
): Promise<IssuedEnrolmentToken> {
  const token = newToken('enrol');
  const now = clock.now();
  const expiresAt = now + lifetimeMs;
  const { id } = await enrolmentTokens.create({ owner, tokenHash: hashToken(token), expiresAt }, now);
  return { id, token, expiresAt };
}

/** Throws `enrolment_token_unknown` for unknown and expired tokens and for tokens of any other type. */
export async function enrol(
  deps: EnrolDeps,
  request: EnrolRequest,
): Promise<EnrolAnswer & { accountId: string | null }> {
  const now = deps.clock.now();
  const isEnrolment = tokenType(request.enrolment_token) === 'enrol';
  const known = isEnrolment ? await deps.enrolmentTokens.find(hashToken(request.enrolment_token), now) : null;
  if (known === null)
    throw new CodedError('enrolment_token_unknown', 'Enrolment token is unknown or expired', {
      field: 'enrolment_token',
      remedy: 'Open Setup in the dashboard and copy the install command again.',
    });
  const machineHash = hashMachine(request.machine_hash);
  if (deps.planLimits !== null && known.accountId !== null)
    requireServers(deps.planLimits, await deps.agents.countOthers(known.accountId, machineHash));
  const token = newToken('agent');
  const { serverId } = await deps.agents.enrol(
    {
      enrolmentTokenId: known.id,
      accountId: known.accountId,
      machineHash,
      hostname: request.hostname,
      tokenHash: hashToken(token),
      cloned: request.cloned ?? false,
      tags: request.tags ?? {},
      reportIntervalSeconds: deps.reportIntervalSeconds,
    },
    now,
  );
  return { server_id: serverId, agent_token: token, interval: deps.reportIntervalSeconds, accountId: known.accountId };
}

/** Hashed again, so that a reader of the database cannot match it with a known machine-id. */
const hashMachine = (machineHash: string): Buffer => createHash('sha256').update(`plimsoll:${machineHash}`).digest();
