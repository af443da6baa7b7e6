import { HOUR_MS, MINUTE_MS } from '@plimsoll/contract/rules/durations';
import type { ProbeResult } from '@plimsoll/contract/wire/check-probes';
import { notRun } from '@plimsoll/contract/probes/run-probe';
import { OFFLINE_HOST, type Stories } from './stories.ts';

/** Checks of the demo. They run from its machines, so that the demo connects to nothing. */
export interface DemoProbe {
  name: string;
  probe: object;
  places: readonly string[];
  /** Response in milliseconds without the distance to the place. */
  base: number;
  /** Name of the host that a failure belongs to. */
  server?: string;
  /** Days until its certificate ends, at the start of the demo. */
  certificateDays?: number;
  /** Returns why it fails at a moment, epoch milliseconds; null: it is good. */
  fails: (at: number, stories: Stories) => Pick<ProbeResult, 'reason' | 'status' | 'failed_phase'> | null;
}

const within = (at: number, from: number, minutes: number): boolean => at >= from && at < from + minutes * MINUTE_MS;
const never = (): null => null;
const BAD_GATEWAY = { reason: 'status_unexpected', status: 502, failed_phase: null } as const;
const NO_ANSWER = { reason: 'timeout', status: null, failed_phase: 'connect' } as const;
/** The check of the shop failed this long ago, for 34 minutes; the checkout fails since 12 minutes. */
const SHOP_OUTAGE_HOURS = 19;
const CHECKOUT_MINUTES = 12;

export const PROBES: readonly DemoProbe[] = [
  {
    name: 'shop HTTPS',
    probe: { kind: 'http', url: 'https://shop.example.net/health' },
    places: ['web-fra-01', 'web-iad-01', OFFLINE_HOST],
    base: 120,
    certificateDays: 58,
    fails: (at, { now }) => (within(at, now * 1000 - SHOP_OUTAGE_HOURS * HOUR_MS, 34) ? BAD_GATEWAY : null),
  },
  {
    name: 'checkout API',
    probe: { kind: 'http', url: 'https://checkout.example.net/ready' },
    places: ['web-fra-01', 'web-dub-01', 'web-iad-01'],
    base: 90,
    certificateDays: 71,
    fails: (at, { now }) => (at >= now * 1000 - CHECKOUT_MINUTES * MINUTE_MS ? BAD_GATEWAY : null),
  },
  {
    name: 'shop certificate',
    probe: { kind: 'tls', host: 'shop.example.net', port: 443 },
    places: ['web-fra-01'],
    base: 60,
    certificateDays: 12,
    fails: never,
  },
  {
    name: 'orders database',
    probe: { kind: 'tcp', host: 'db.example.net', port: 5432 },
    places: ['web-fra-01', 'web-fra-02'],
    base: 3,
    fails: never,
  },
  {
    name: 'mail records',
    probe: { kind: 'dns', host: 'example.net', record_type: 'MX' },
    places: ['web-dub-01'],
    base: 18,
    fails: never,
  },
  {
    name: 'edge São Paulo',
    probe: { kind: 'http', url: 'https://gru.example.net/' },
    places: ['web-gru-01'],
    base: 40,
    server: OFFLINE_HOST,
    certificateDays: 44,
    fails: (at, { offlineSince }) => (at >= offlineSince * 1000 ? NO_ANSWER : null),
  },
];

const DISTANCES: Readonly<Record<string, number>> = { iad: 90, gru: 180, dub: 25 };
const round = (ms: number): number => Math.round(ms * 10) / 10;

/** Returns the result of a probe at a place and moment; the same each time it is called. */
export function resultAt(one: DemoProbe, place: string, at: number, stories: Stories): ProbeResult {
  const failure = one.fails(at, stories);
  const minute = Math.floor(at / MINUTE_MS);
  const wave = 1 + 0.12 * Math.sin(minute / 37 + one.base) + 0.08 * Math.sin(minute * 1.7 + place.length);
  const far = DISTANCES[place.split('-')[1] ?? ''] ?? 8;
  const evening = within(at, stories.now * 1000 - 7 * HOUR_MS, 55) ? 3.2 : 1;
  const isWeb = ['http', 'tls'].includes((one.probe as { kind: string }).kind);
  const [dns, connect] = [round(6 * wave), round(far * 0.25 * wave + 2)];
  const tls = isWeb ? round(far * 0.4 * wave + 14) : null;
  const wait = one.base > 20 ? round(one.base * wave * evening) : null;
  const transfer = wait === null ? null : round(12 * wave);
  const total = [dns, connect, tls, wait, transfer].reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
  const base = { ...notRun('not_run'), reason: null, dns_ms: dns };
  if (failure !== null)
    return {
      ...base,
      ...failure,
      ok: false,
      connect_ms: failure.failed_phase === 'connect' ? null : connect,
      total_ms: round(total),
    };
  const isHttp = (one.probe as { kind: string }).kind === 'http';
  const figures = { connect_ms: connect, tls_ms: tls, wait_ms: wait, transfer_ms: transfer, total_ms: round(total) };
  return { ...base, ok: true, ...figures, status: isHttp ? 200 : null, size_bytes: isHttp ? 5120 : null };
}

/** Returns the certificate that a probe finds; null for one without TLS. */
export function certificateOf(
  { certificateDays: days, probe }: DemoProbe,
  { now }: Stories,
): ProbeResult['certificate'] {
  if (days === undefined) return null;
  const { host, url } = probe as { host?: string; url?: string };
  const name = host ?? (url === undefined ? '' : new URL(url).hostname);
  const [ends, day] = [now + days * 86_400, 86_400];
  const names = { subject: name, issuer: 'Example Trust E1', names: [name], chain: 3, key: 'EC P-256' };
  return {
    ...names,
    starts_at: ends - 90 * day,
    ends_at: ends,
    fingerprint: `${'0'.repeat(60)}${String(days).padStart(4, '0')}`,
  };
}
