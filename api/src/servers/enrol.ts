import { createHash } from 'node:crypto';
import type { EnrolAnswer, EnrolRequest } from '@plimsoll/contract/wire/install';
import type { Clock } from '../clock.ts';
import { redactText } from '@plimsoll/contract/redaction/text';
import { bootNumber } from '../reports/boot-number.ts';
import { nameList } from '../tenancy/name-list.ts';
import { requireServers } from '../accounts/plans.ts';
import type { Deps } from '../deps.ts';
import { sanitizeText } from '../reports/sanitize.ts';
import type { Creator } from '../tenancy/creator.ts';
import { ownerOf, type Owner } from '../tenancy/owner.ts';
import { CodedError } from '../errors.ts';
import type { EnrolmentTokens } from './store.ts';
import { hashToken, newToken, tokenType } from '../accounts/tokens.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

/** Lifetime of the token in an install command: long enough to paste it, too short to keep it. */
const ENROLMENT_TOKEN_MS = 24 * 3600 * 1000;
/** Lifetime of the token that this machine's own collector receives at every start. */
export const LOCAL_ENROLMENT_TOKEN_MS = 3600 * 1000;

export type EnrolDeps = Pick<Deps, 'storage' | 'clock' | 'changes'> & {
  config: Pick<Deps['config'], 'reportIntervalSeconds' | 'planLimits'>;
};
export interface IssuedEnrolmentToken {
  id: string;
  token: string;
  expiresAt: number;
}

/** `owner` null: what enrols with it belongs to the instance until the first account takes it over. */
export async function issueEnrolmentToken(
  { enrolmentTokens, clock }: { enrolmentTokens: Pick<EnrolmentTokens, 'create'>; clock: Clock },
  owner: Owner | null,
  { createdBy, lifetimeMs = ENROLMENT_TOKEN_MS }: { createdBy: Creator; lifetimeMs?: number },
): Promise<IssuedEnrolmentToken> {
  const token = newToken('enrol');
  const now = clock.now();
  const expiresAt = now + lifetimeMs;
  const { id } = await enrolmentTokens.create({ owner, tokenHash: hashToken(token), expiresAt, createdBy }, now);
  return { id, token, expiresAt };
}

const HOSTNAME_CHARACTERS = 253;
/** Names of other servers in an answer. */
const MOST_NAMES = 10;
/** A collector sends this where the system has no boot id. */
const NO_BOOT = 'unknown';

/**
 * Exchanges an enrolment token for a server and a token of its agent. A clone of a known machine becomes a server of its
 * own, which the audit log records. Throws `enrolment_token_unknown` for unknown and
 * expired tokens and for tokens of any other type, `plan_limit`.
 */
export async function enrol(
  { storage, clock, changes, config }: EnrolDeps,
  request: EnrolRequest,
  address: string | null = null,
): Promise<EnrolAnswer> {
  const now = clock.now();
  const { reportIntervalSeconds, planLimits } = config;
  const machineHash = hashMachine(request.machine_hash);
  const token = newToken('agent');
  const hostname = sanitizeText(redactText(request.hostname), HOSTNAME_CHARACTERS);
  const boot = request.boot_id === undefined || request.boot_id === NO_BOOT ? null : bootNumber(request.boot_id);
  const enrolled = await storage.inTransaction(async ({ agents, enrolmentTokens, tenancy }) => {
    const known = await requireToken(enrolmentTokens, request.enrolment_token, now);
    if (planLimits !== null && known.organisationId !== null) await tenancy.teams.lock(ownerOf(known.organisationId));
    const server = await agents.enrol(
      {
        enrolmentTokenId: known.id,
        organisationId: known.organisationId,
        machineHash,
        hostname,
        boot,
        tokenHash: hashToken(token),
        cloned: request.cloned ?? false,
        tags: request.tags ?? {},
        reportIntervalSeconds,
      },
      now,
    );
    const { organisationId, serverId, kind, sharesWith } = server;
    if (planLimits !== null && organisationId !== null)
      requireServers(planLimits, await agents.countOthers(organisationId, serverId));
    if (organisationId !== null && kind === 'clone') {
      const detail = { id: serverId, server: hostname, with: nameList(sharesWith) };
      const by = { organisationId, person: null, token: { id: null, name: `collector of ${hostname}` }, address };
      await tenancy.audit.record(by, 'server_clone_enrolled', detail, now);
    }
    return server;
  });
  changes.publish(enrolled.organisationId, { topic: 'servers', serverId: enrolled.serverId });
  // Collectors of version 0.1.0 receive the answer of that version.
  const sharesWith = request.boot_id === undefined ? [] : enrolled.sharesWith;
  return {
    server_id: enrolled.serverId,
    agent_token: token,
    interval: reportIntervalSeconds,
    ...(sharesWith.length > 0 ? { shares_machine_id_with: sharesWith.slice(0, MOST_NAMES) } : {}),
  };
}

async function requireToken(
  enrolmentTokens: Pick<EnrolmentTokens, 'find'>,
  token: string,
  now: number,
): Promise<{ id: string; organisationId: OrganisationId | null }> {
  const known = tokenType(token) === 'enrol' ? await enrolmentTokens.find(hashToken(token), now) : null;
  if (known === null)
    throw new CodedError('enrolment_token_unknown', 'Enrolment token is unknown or expired', {
      field: 'enrolment_token',
      remedy: 'Open Setup in the dashboard and copy the install command again.',
    });
  return known;
}

/** Hashed again, so that a reader of the database cannot match it with a known machine-id. */
const hashMachine = (machineHash: string): Buffer => createHash('sha256').update(`plimsoll:${machineHash}`).digest();
