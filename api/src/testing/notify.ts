import { randomUUID } from 'node:crypto';
import { ALERT_LEVELS } from '@plimsoll/contract/rules/limits';
import { CHANNEL_TYPES } from '@plimsoll/contract/rules/notify';
import { ownerOf, type Owner } from '../tenancy/owner.ts';
import { hashToken } from '../accounts/tokens.ts';
import { SecretBox, SEALING_KEY_BYTES } from '../accounts/secret-encryption.ts';
import type { AlertChange } from '../alerts/types.ts';
import { sealSecrets } from '../notify/channel-secrets.ts';
import type { ChannelDriver, ChannelDrivers, Notification, NotifiedCause, Routing } from '../notify/types.ts';
import type { Storage } from '../storage.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

export const testSecretBox = new SecretBox(Buffer.alloc(SEALING_KEY_BYTES, 7));

/** Drivers that all use the given one. */
export const driversOf = (driver: ChannelDriver): ChannelDrivers =>
  Object.fromEntries(CHANNEL_TYPES.map((type) => [type, driver])) as unknown as ChannelDrivers;

const everything: Routing = { levels: ALERT_LEVELS, tags: {}, quietHours: null, repeatMinutes: null };

/** Adds a webhook channel to an account. Returns its id. */
export async function newChannel(
  { notify }: Storage,
  organisationId: OrganisationId,
  now: number,
  routing: Partial<Routing> = {},
): Promise<string> {
  const id = randomUUID();
  const sealedSecrets = sealSecrets(testSecretBox, id, { url: 'http://127.0.0.1:9/', secret: 'sixteen-characters' });
  const entry = { id, type: 'webhook' as const, name: id, settings: {}, sealedSecrets };
  const parts = { secretEnds: { secret: 'ters' }, routing: { ...everything, ...routing } };
  await notify.channels.create(ownerOf(organisationId), { ...entry, ...parts }, now);
  return id;
}

/** A change of a memory alert. */
export const changeAt = (at: number, parts: Partial<AlertChange> = {}): AlertChange => ({
  kind: 'opened',
  rule: 'default-memory',
  metric: 'memory_usage',
  subject: '',
  level: 'warning',
  title: 'Memory usage above 80%',
  message: 'm',
  value: 83.2,
  threshold: 80,
  at,
  ...parts,
});

/** Saves changes as the evaluation of a report does. */
export async function saveChanges(
  { alertStates }: Storage,
  serverKey: number,
  ...changes: AlertChange[]
): Promise<void> {
  const { version, tracks } = await alertStates.load(serverKey, [changes[0]?.at ?? 0]);
  if (!(await alertStates.save(serverKey, version, tracks, changes))) throw new Error('another save came first');
}

/** Opens an alert on an agent's server. Returns its id. */
export async function openAlert(
  storage: Storage,
  owner: Owner,
  agent: { serverId: string; token: string },
  now: number,
  parts: Partial<AlertChange> = {},
): Promise<string> {
  const found = await storage.agents.findByToken(hashToken(agent.token));
  if (found.state !== 'known') throw new Error(`the token of the agent is ${found.state}`);
  const change = changeAt(now, parts);
  await saveChanges(storage, found.agent.serverKey, change);
  const { alerts } = await storage.alerts.list(owner, { serverId: agent.serverId }, { limit: 1000, offset: 0 }, now);
  const alert = alerts.find(
    ({ rule, subject, status }) => rule === change.rule && subject === change.subject && status !== 'resolved',
  );
  if (alert === undefined) throw new Error('the alert did not open');
  return alert.id;
}

/** Resolves the alert that `openAlert` opens. */
export async function resolveAlert(storage: Storage, agent: { token: string }, now: number): Promise<void> {
  const found = await storage.agents.findByToken(hashToken(agent.token));
  if (found.state !== 'known') throw new Error(`the token of the agent is ${found.state}`);
  await saveChanges(storage, found.agent.serverKey, changeAt(now, { kind: 'resolved' }));
}

/** A cause as a message has it. */
export const exampleNotifiedCause = (parts: Partial<NotifiedCause> = {}): NotifiedCause => ({
  findings: ['The rollout of shop/checkout lowered its memory limit.'],
  quote: null,
  mechanism: 'limit_below_peak',
  mechanismTitle: 'Limit below the peak',
  since: '2026-02-01T11:56:08.000Z',
  entities: [
    {
      kind: 'workload',
      name: 'checkout',
      object_kind: 'Deployment',
      namespace: 'shop',
      cluster_id: 'c',
      server_id: null,
    },
  ],
  next: 'Undo the rollout.',
  ...parts,
});

/** A message as the sender builds it. */
export const exampleNotification = (parts: Partial<Notification> = {}): Notification => ({
  isTest: false,
  hostname: 'web-1',
  level: 'critical',
  title: 'web-1: Memory 97 %, 2 over for 5 min',
  lines: [],
  link: 'https://plimsoll.example/alerts?server_id=1',
  alerts: [
    { alertId: '11111111-1111-4111-8111-111111111111', state: 'firing', level: 'critical', text: 'Memory 97 %' },
  ],
  cause: null,
  at: 1_769_853_600_000,
  ...parts,
});
