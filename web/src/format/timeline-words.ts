import type { TimelineKind } from '@plimsoll/contract/rules/timeline';
import type { TimelineEntry } from '@plimsoll/contract/wire/timeline';
import { ageText } from '../time/age.ts';

/** Names of the chips. */
export const KIND_NAME: Record<TimelineKind, string> = {
  alert: 'Alerts',
  oom: 'Out of memory',
  crash: 'Crashes',
  kubernetes: 'Kubernetes warnings',
  package: 'Packages',
  service: 'Services',
  config: 'Config',
  system: 'System',
  process: 'Process runs',
};

/** "12 times in 40 min"; null for one that stands for itself. */
export function burstText({ count, timestamp, first_at: first }: TimelineEntry): string | null {
  if (count === 1) return null;
  const seconds = timestamp - first;
  return seconds < 1 ? `${count} times` : `${count} times in ${ageText(seconds)}`;
}

/** "open", or "ended after 12 min"; null for an entry without an alert. */
export function alertText({ alert_id: id, timestamp, ended_at: ended }: TimelineEntry): string | null {
  if (id === null) return null;
  return ended === null ? 'open' : `ended after ${ageText(ended - timestamp)}`;
}
