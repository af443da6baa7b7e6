import { sendListing, sendReport, type DemoCluster, type Machine, type Post } from './machines.ts';
import type { Stories } from './stories.ts';

const INTERVAL_MS = 60_000;

/** Posts to the listening API. A refused or lost report is dropped: the next one follows a minute later. */
export const postTo =
  (origin: string): Post =>
  async (path, token, body) => {
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${String(response.status)}`);
    return JSON.parse(text) as Record<string, unknown>;
  };

/** Reports for every machine and cluster once a minute, spread over the minute as real collectors are. */
export function reportForEver(
  origin: string,
  { machines, clusters }: { machines: readonly Machine[]; clusters: readonly DemoCluster[] },
  stories: Stories,
): { stop(): void } {
  const post = postTo(origin);
  const timers = new Set<NodeJS.Timeout>();
  const repeat = (delayMs: number, send: (at: number) => Promise<void>): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      send(Date.now() / 1000).catch(() => undefined);
      repeat(INTERVAL_MS, send);
    }, delayMs);
    timers.add(timer);
  };
  for (const [index, machine] of machines.entries())
    repeat((index / machines.length) * INTERVAL_MS, (at) => sendReport(post, machine, at, stories));
  for (const [index, of] of clusters.entries())
    repeat(10_000 + (index / clusters.length) * INTERVAL_MS, (at) => sendListing(post, of, at, stories));
  return {
    stop: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
