import type { Api } from './http.ts';
import type { Sender } from './sender.ts';

export type ByeReason = 'uninstall' | 'restart' | 'stop';

/** A stopping service has two seconds: what does not get through by then stays in the spool. */
const FAREWELL_MS = 800;

/** Tells the server why silence follows. Best effort: without it the server takes the host for lost. */
export async function sayBye(api: Api, sender: Pick<Sender, 'token'>, reason: ByeReason): Promise<boolean> {
  const reply = await api.post('/api/agent/v1/bye', { reason }, sender.token, FAREWELL_MS);
  return reply.kind === 'answer' && reply.status < 300;
}
