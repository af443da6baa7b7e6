import { HOUR_SECONDS, MINUTE_SECONDS } from '@plimsoll/contract/rules/durations';
import { randomBytes } from 'node:crypto';
import type { Storage } from '../../api/src/storage.ts';
import { ownerOf } from '../../api/src/tenancy/owner.ts';
import { ownOrganisationOf, type PersonId } from '../../api/src/tenancy/ids.ts';
import type { Machine } from './machines.ts';
import { OFFLINE_HOST, SPIKE_HOST, SPIKE_SECONDS, type Stories } from './stories.ts';

const SLUG_BYTES = 16;

/** Parts of the page by group, with the hosts behind each. Customers see no name of a host. */
const PARTS: readonly (readonly [group: string, part: string, hosts: readonly string[]])[] = [
  ['Shop', 'Storefront', ['web-fra-01', 'web-fra-02', 'web-dub-01', 'web-dub-02']],
  ['Shop', 'Checkout', ['db-fra-01', 'db-fra-02']],
  ['Shop', 'Payments', ['queue-dub-01']],
  ['Shop', 'Search', ['cache-fra-01']],
  ['API', 'Public API', ['web-iad-01', 'web-iad-02']],
  ['API', 'Reports', [SPIKE_HOST]],
  ['API', 'Builds', ['build-syd-01']],
  ['Regions', 'North America', ['db-iad-01']],
  ['Regions', 'South America', ['web-gru-01', OFFLINE_HOST]],
  ['Regions', 'Asia Pacific', ['web-sin-01', 'web-syd-01']],
];

/** Public names of the checks on the page. */
const WEBSITES: Readonly<Record<string, string>> = {
  'checkout API': 'Checkout website',
  'shop HTTPS': 'Shop website',
};

interface Given {
  storage: Storage;
  personId: PersonId;
  machines: readonly Machine[];
  stories: Stories;
}

/** Creates a public page with an open incident, a past one and planned work, at the times of the stories. */
export async function publishStatusPage({ storage, personId, machines, stories }: Given): Promise<void> {
  const owner = ownerOf(ownOrganisationOf(personId));
  const { now, offlineSince, spikeAt } = stories;
  const idOf = new Map(machines.map(({ host, serverId }) => [host.name, serverId]));
  const idsOf = (hosts: readonly string[]): string[] => hosts.flatMap((host) => idOf.get(host) ?? []);
  const page = await storage.statusPages.create(
    owner,
    {
      title: 'Example Shop',
      message: '',
      servers: PARTS.flatMap(([group, label, hosts]) => idsOf(hosts).map((serverId) => ({ serverId, label, group }))),
      checks: (await storage.checks.list(owner)).flatMap(({ id, name }) => {
        const label = WEBSITES[name];
        return label === undefined ? [] : [{ checkId: id, label, group: 'Websites' }];
      }),
      showsNames: false,
      showsFigures: false,
      showsMaintenance: true,
      isIndexable: false,
      isPublished: true,
      expiresAt: null,
    },
    { slug: randomBytes(SLUG_BYTES).toString('base64url'), createdBy: personId },
    now * 1000,
  );
  const by = (seconds: number) => ({ by: personId, now: seconds * 1000 });
  const { incidents } = storage.statusPages;
  const past = await incidents.create(
    page,
    {
      title: 'Reports were late',
      impact: 'over_line',
      serverIds: idsOf([SPIKE_HOST]),
      checkIds: [],
      startedAt: spikeAt * 1000,
      nextUpdateAt: null,
    },
    { state: 'investigating', text: 'Reports of the night arrive late. No report is lost.' },
    by(spikeAt + 4 * MINUTE_SECONDS),
  );
  const end = { state: 'resolved', text: 'A job of ours took the time of all others. It now waits for them.' } as const;
  await incidents.addUpdate(page, past.id, { ...end, nextUpdateAt: null }, by(spikeAt + SPIKE_SECONDS));
  const open = await incidents.create(
    page,
    {
      title: 'Pages load slowly in South America',
      impact: 'partly_offline',
      serverIds: idsOf([OFFLINE_HOST]),
      checkIds: [],
      startedAt: offlineSince * 1000,
      nextUpdateAt: null,
    },
    { state: 'investigating', text: 'Some pages need several seconds. Orders work.' },
    by(offlineSince + 6 * MINUTE_SECONDS),
  );
  const found = { state: 'identified', text: 'One of our machines in São Paulo ran out of memory.' } as const;
  await incidents.addUpdate(page, open.id, { ...found, nextUpdateAt: null }, by(offlineSince + 17 * MINUTE_SECONDS));
  const next = {
    state: 'fixing',
    text: 'Another machine takes over its work.',
    nextUpdateAt: (now + HOUR_SECONDS) * 1000,
  } as const;
  await incidents.addUpdate(page, open.id, next, by(offlineSince + 33 * MINUTE_SECONDS));
  const starts = Math.ceil(now / HOUR_SECONDS) * HOUR_SECONDS + 20 * HOUR_SECONDS;
  const quiet = {
    tagKey: null,
    tagValue: null,
    metric: null,
    rule: null,
    subject: null,
    clusterId: null,
    namespace: null,
  };
  for (const serverId of idsOf(['build-syd-01']))
    await storage.silences.create(
      owner,
      { ...quiet, serverId, startsAt: starts * 1000, endsAt: (starts + 2 * HOUR_SECONDS) * 1000, comment: 'new disks' },
      { personId, now: now * 1000 },
    );
}
