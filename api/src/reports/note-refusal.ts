import type { Clock } from '../clock.ts';
import type { CodedError, ErrorCode } from '../errors.ts';
import type { ChangeFeed } from '../live/change-feed.ts';
import type { Reporter } from '../servers/types.ts';
import { sanitizeText } from './sanitize.ts';
import type { Refusals } from './store.ts';
import type { Refusal } from './types.ts';

interface Deps {
  refusals: Refusals;
  changes: ChangeFeed;
  clock: Clock;
}

/** Errors that the same request receives each time. The agent drops its reports or waits for an update. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  'invalid_parameter',
  'invalid_json',
  'invalid_gzip',
  'nesting_too_deep',
  'body_too_large',
  'unsupported_media_type',
  'version_not_spoken',
]);
const DETAIL_BYTES = 200;

/** Returns the reason if the error refuses the reports of a request for good; null if the agent keeps them. */
export const refusalOfRequest = ({ code, message }: CodedError): Refusal | null =>
  FINAL.has(code) ? { code, detail: message } : null;

/** Records that the reports of a server are refused. The first report that is stored ends this. */
export async function noteRefusal(
  { refusals, changes, clock }: Deps,
  agent: Reporter,
  { code, detail }: Refusal,
): Promise<void> {
  const began = await refusals.record(agent, { code, detail: sanitizeText(detail, DETAIL_BYTES) }, clock.now());
  if (began !== null) changes.publish(began.organisationId, { topic: 'servers', serverId: agent.serverId });
}
