import type { Deps } from '../deps.ts';
import type { Agent } from './types.ts';

/** Signs an agent off: it stops, restarts or is removed. */
export async function signOffAgent(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  agent: Agent,
  reason: 'uninstall' | 'restart' | 'stop',
): Promise<void> {
  await storage.inTransaction(({ agents }) => agents.signOff(agent, reason, clock.now()));
  changes.publish(agent.organisationId, { topic: 'servers', serverId: agent.serverId });
}
