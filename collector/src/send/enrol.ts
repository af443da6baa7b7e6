import type { EnrolAnswer, EnrolRequest } from '@plimsoll/contract/wire/install';
import type { Credentials } from './credentials.ts';
import type { Api } from './http.ts';
import { sharedNames } from './shared-machine-id.ts';
import { codeOf } from './verdict.ts';

export type Enrolled =
  /** `sharesWith`: names of other servers with the machine id of this host; absent: there are none. */
  | { kind: 'enrolled'; credentials: Credentials; intervalSeconds: number; sharesWith?: string[] }
  /** The token will never work: enrolment is dead. */
  | { kind: 'refused'; code: string; detail: string }
  | { kind: 'later'; code: string; seconds: number | null };

/** Asks once. Throws nothing; whoever calls decides about another try. */
export async function enrol(api: Api, request: EnrolRequest): Promise<Enrolled> {
  const reply = await api.post('/api/agent/v1/enrol', request, null);
  if (reply.kind === 'failed') return { kind: 'later', code: reply.code, seconds: null };
  const answer = reply.body as (Partial<EnrolAnswer> & { detail?: unknown }) | null;
  if (reply.status >= 200 && reply.status < 300) {
    const { server_id, agent_token, interval } = answer ?? {};
    if (typeof server_id !== 'string' || typeof agent_token !== 'string' || typeof interval !== 'number') {
      return { kind: 'later', code: 'answer_unreadable', seconds: null };
    }
    const sharesWith = sharedNames(answer?.shares_machine_id_with);
    const credentials = { server_id, agent_token };
    return {
      kind: 'enrolled',
      credentials,
      intervalSeconds: interval,
      ...(sharesWith.length > 0 ? { sharesWith } : {}),
    };
  }
  const code = codeOf(reply);
  const busy = reply.status === 429 || reply.status >= 500;
  if (busy) return { kind: 'later', code, seconds: reply.retryAfterSeconds };
  const detail = typeof answer?.detail === 'string' ? answer.detail : `the server answered ${reply.status}`;
  return { kind: 'refused', code, detail };
}
