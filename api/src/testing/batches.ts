import { createHash, randomBytes } from 'node:crypto';
import type { Report } from '@plimsoll/contract/wire/report';
import type { AcceptedBatch, AcceptedItem } from '../reports/types.ts';
import type { Agent } from '../servers/types.ts';
import type { Storage } from '../storage.ts';
import { type OrganisationId, ownOrganisationOf, type PersonId } from '../tenancy/ids.ts';

/** A server with one agent, enrolled for an account that is made when none is named. */
export const enrolledAgent = async (
  storage: Storage,
  organisationId: OrganisationId,
  hostname = 'web-1',
): Promise<Agent> => {
  const owner = { organisationId } as Parameters<Storage['enrolmentTokens']['create']>[0]['owner'];
  const entry = { owner, tokenHash: randomBytes(32), expiresAt: 4e12, createdBy: null };
  const token = await storage.enrolmentTokens.create(entry, 1e12);
  const tokenHash = randomBytes(32);
  await storage.agents.enrol(
    {
      enrolmentTokenId: token.id,
      organisationId,
      machineHash: randomBytes(32),
      hostname,
      tokenHash,
      cloned: false,
      tags: {},
      reportIntervalSeconds: 60,
    },
    1e12,
  );
  const found = await storage.agents.findByToken(tokenHash);
  if (found.state !== 'known') throw new Error(`enrolled, but its token is ${found.state}`);
  return found.agent;
};

/** Creates a person. Returns the organisation that the person founded. */
export const newAccount = async (storage: Storage, now = 1e12): Promise<OrganisationId> =>
  ownOrganisationOf(await newPerson(storage, now));

export const newPerson = async (storage: Storage, now = 1e12): Promise<PersonId> => {
  const email = `${randomBytes(6).toString('hex')}@example.org`;
  return (await storage.accounts.create({ email, name: 'Ada', passwordHash: null }, now)).id;
};

/** A report of a host that has one disk of 100 bytes; figures are derived from seq so that each differs. */
const reportOf = (seq: number, parts: Partial<Report> = {}): Report => ({
  seq,
  ts: 0,
  up: seq * 60,
  kind: 'host',
  window_seconds: 60,
  cpu: {
    percent: seq % 100,
    io_wait_percent: (seq % 10) / 2,
    steal_percent: 0,
    user_percent: 0,
    system_percent: 0,
    per_core_percent: [seq % 100],
  },
  memory: {
    total_bytes: 1000,
    available_bytes: 1000 - (seq % 1000),
    used_bytes: seq % 1000,
    swap_total_bytes: 0,
    swap_used_bytes: 0,
  },
  filesystems: [
    {
      mount: '/',
      device: '/dev/vda1',
      type: 'ext4',
      size_bytes: 100,
      used_bytes: 40,
      available_bytes: 60,
      inodes_total: null,
      inodes_used: null,
    },
  ],
  ...parts,
});

export const itemOf = (seq: number, sampleAt: number, parts: Partial<Report> = {}, bootId = 'boot-1'): AcceptedItem => {
  const report = reportOf(seq, parts);
  return {
    seq,
    sampleAt,
    up: report.up,
    bootId,
    contentHash: createHash('sha256').update(JSON.stringify(report)).digest(),
    report,
  };
};

const STREAM = '0123456789abcdef0123456789abcdef';
export const batchOf = (agent: Agent, items: AcceptedItem[], parts: Partial<AcceptedBatch> = {}): AcceptedBatch => ({
  agent,
  streamId: STREAM,
  bootId: 'boot-1',
  receivedAt: Math.max(0, ...items.map((item) => item.sampleAt)) + 100,
  items,
  dropped: [],
  rejected: [],
  clockSkewSeconds: null,
  ...parts,
});
