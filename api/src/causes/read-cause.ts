import type { CauseAnswer } from '@plimsoll/contract/wire/causes';
import type { ToolContext } from '../ai/types.ts';
import type { Clock } from '../clock.ts';
import { notFound } from '../errors.ts';
import type { Storage } from '../storage.ts';
import type { Owner } from '../tenancy/owner.ts';
import type { CauseComputer, Computed } from './compute-cause.ts';
import { gatherForAlert, gatherForIncident } from './gather/incident.ts';

export interface ReadCauseDeps {
  storage: Pick<Storage, 'alerts' | 'incidentCauses' | 'incidents'>;
  clock: Clock;
  computer: CauseComputer;
}

/** The reader, and the calls that it may read. */
export interface CauseReader {
  owner: Owner;
  context: ToolContext;
}

async function requireIncident({ storage }: ReadCauseDeps, owner: Owner, id: string): Promise<void> {
  if ((await storage.incidents.get(owner, id, 1)) === null) throw notFound('Incident');
}

const computeFor = ({ computer }: ReadCauseDeps, { owner, context }: CauseReader, id: string): Promise<Computed> =>
  computer.compute(`${owner.organisationId} ${owner.role} ${id}`, () => gatherForIncident(context, id));

/** Returns the newest answer about an incident; computes it if none is stored. Throws `not_found`. */
export async function causeOfIncident(deps: ReadCauseDeps, reader: CauseReader, id: string): Promise<CauseAnswer> {
  const { storage, clock } = deps;
  const stored = await storage.incidentCauses.get(reader.owner, id);
  if (stored !== null) return stored;
  await requireIncident(deps, reader.owner, id);
  const computed = await computeFor(deps, reader, id);
  await storage.incidentCauses.save(reader.owner, id, computed, clock.now());
  return computed.answer;
}

/** Returns the answer about the incident of an alert; of an alert without one, the answer about itself. */
export async function causeOfAlert(deps: ReadCauseDeps, reader: CauseReader, id: string): Promise<CauseAnswer> {
  const { owner, context } = reader;
  const alert = await deps.storage.alerts.get(owner, id, deps.clock.now());
  if (alert === null) throw notFound('Alert');
  if (alert.incident !== null) return causeOfIncident(deps, reader, alert.incident.id);
  const key = `${owner.organisationId} ${owner.role} ${id}`;
  return (await deps.computer.compute(key, () => gatherForAlert(context, id))).answer;
}

/** Returns the evidence of an incident, read anew, and the answer to it. */
export async function evidenceOfIncident(deps: ReadCauseDeps, reader: CauseReader, id: string): Promise<Computed> {
  await requireIncident(deps, reader.owner, id);
  return computeFor(deps, reader, id);
}
