import { setTimeout } from 'node:timers/promises';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { errorText } from '@plimsoll/contract/rules/error-text';
import { say } from '../../../cluster/shell.ts';
import { type WarningEvent, namedByEvents } from '../baseline.ts';
import { withUndo } from '../cleanup.ts';
import type { Incident } from '../incident.ts';
import { observe } from '../observe.ts';
import { type RunResult, keep, summaryOf } from '../results.ts';
import type { Accused } from '../score.ts';
import type { ClusterLab } from './lab.ts';
import { type Shop, closeShop, kubectl, openShop } from './shop.ts';

/** Seconds of health before the harm. */
const HEALTHY_SECONDS = 60;
const CHECK_SECONDS = 20;
const NODE_PORTS = { first: 30_100, count: 2000 } as const;

interface EventList {
  items: (WarningEvent & { type: string; lastTimestamp: string | null; eventTime: string | null })[];
}

async function eventsSince(namespace: string | null, since: Date): Promise<Accused[]> {
  const where = namespace === null ? ['-A'] : ['-n', namespace];
  const { items } = JSON.parse(await kubectl(['get', 'events', ...where, '-o', 'json'])) as EventList;
  const isNew = ({ lastTimestamp, eventTime }: EventList['items'][number]) =>
    Date.parse(lastTimestamp ?? eventTime ?? '') >= since.getTime();
  return namedByEvents(items.filter((event) => event.type === 'Warning' && isNew(event)));
}

/** Makes a shop with a check of its front, as an operator has one, and runs one incident in it. */
async function runInShop(lab: ClusterLab, incident: Incident<Shop>, round: number): Promise<RunResult> {
  const number = lab.nextNumber();
  const namespace = `shop-${String(number)}`;
  const nodePort = NODE_PORTS.first + (number % NODE_PORTS.count);
  const shop = await openShop(namespace, nodePort).catch(async (error: unknown) => {
    await closeShop({ namespace });
    throw error;
  });
  const checkName = `front of ${namespace}`;
  const { check } = await lab.installation.post<{ check: { check_id: string } }>('/api/checks', {
    name: checkName,
    probe: { kind: 'http', url: `http://${lab.nodeAddress}:${String(nodePort)}/`, timeout_ms: 5000 },
    interval_seconds: CHECK_SECONDS,
    retries: 1,
  });
  const close = async (): Promise<void> => {
    await incident.undo?.(shop);
    await lab.installation.remove(`/api/checks/${check.check_id}`);
    await closeShop(shop);
  };
  return withUndo(close, async () => {
    await setTimeout(HEALTHY_SECONDS * 1000);
    const isAlone = incident.isAlone === true;
    const isOwn = (alert: Alert) =>
      isAlone || alert.kubernetes?.namespace === namespace || JSON.stringify(alert).includes(checkName);
    const own = isAlone ? null : namespace;
    const watch = {
      installation: lab.installation,
      isOwn,
      namespace: own,
      place: 'cluster' as const,
      baseline: (since: Date) => eventsSince(own, since),
    };
    return observe(incident, shop, watch, round);
  });
}

interface Planned {
  incident: Incident<Shop>;
  round: number;
}

const AVERAGE_FROM = 2;

/** Runs all, `lanes` side by side; those that harm the whole cluster follow one by one. */
export async function runAll(lab: ClusterLab, planned: Planned[], lanes: number, results: string): Promise<number> {
  const begun = Date.now();
  let [done, failed] = [0, 0];
  const runOne = async ({ incident, round }: Planned): Promise<void> => {
    const name = `${incident.name} ${String(round)}`;
    try {
      const result = await runInShop(lab, incident, round);
      keep(results, result);
      say(summaryOf(result));
    } catch (error) {
      failed++;
      say(`${name}: not made: ${errorText(error)}`);
    }
    done++;
    const left = planned.length - done;
    if (done >= AVERAGE_FROM && left > 0)
      say(`${String(left)} runs left, about ${(((Date.now() - begun) / done / 60_000) * left).toFixed(0)} minutes`);
  };
  const together = planned.filter(({ incident }) => incident.isAlone !== true);
  const lane = async (): Promise<void> => {
    for (let next = together.shift(); next; next = together.shift()) await runOne(next);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  for (const one of planned.filter(({ incident }) => incident.isAlone === true)) await runOne(one);
  return failed;
}
