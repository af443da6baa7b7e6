import { cutText, isVisible } from '@plimsoll/contract/rules/printable-text';
import type { MetricSource, Value } from './types.ts';

/** A clock that is adjusted moves the time of boot by seconds. */
const SAME_BOOT_SECONDS = 120;
const MOST_NAMED = 4;
export const REMEDIES: Record<MetricSource['agent'], string> = {
  prometheus: 'Give each a job or an instance of its own.',
  opentelemetry: 'Give each a host.id or a host.name of its own.',
};
const NAME_CHARACTERS = 64;

/**
 * Returns a note that names the machines which send under one name, null for one machine. `before`: values of the report
 * before. Two host names of one interval are two machines. So are two times of boot in turn: one machine's never goes back.
 */
export function twoMachines(source: MetricSource, values: readonly Value[], before: readonly Value[]): string | null {
  const names = hostNames(values);
  const boots = names.length > 1 ? null : bootsInTurn([...before, ...values]);
  if (names.length < 2 && boots === null) return null;
  const machines = names.length > 1 ? listed(names) : `machines booted at ${(boots ?? []).map(momentOf).join(' and ')}`;
  return `Several machines send as ${cutText(source.name, NAME_CHARACTERS)}: ${machines}. Their figures are mixed. ${REMEDIES[source.agent]}`;
}

/** "a, b and c", at most four of them. */
export const listed = (names: readonly string[]): string => {
  if (names.length === 1) return names[0] ?? '';
  const shown = names.slice(0, MOST_NAMED);
  const left = names.length - shown.length;
  return left > 0
    ? `${shown.join(', ')} and ${String(left)} more`
    : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
};

function hostNames(values: readonly Value[]): string[] {
  const names = values.flatMap(([key]) => {
    const [figure, name = ''] = key.split('\t');
    return figure === 'uname' && isVisible(name) ? [cutText(name, NAME_CHARACTERS)] : [];
  });
  return [...new Set(names)].toSorted();
}

/** Returns the later and the earlier time of boot in epoch seconds, in that order; null: no time goes back. */
function bootsInTurn(values: readonly Value[]): [number, number] | null {
  const boots = values
    .flatMap(([key, value, at]) => {
      if (key === 'boot-time') return [{ at, bootedAt: value }];
      return key === 'uptime' ? [{ at, bootedAt: at / 1000 - value }] : [];
    })
    .toSorted((a, b) => a.at - b.at);
  let latest = { at: -Infinity, bootedAt: -Infinity };
  for (const boot of boots) {
    const goesBack = boot.bootedAt < latest.bootedAt - SAME_BOOT_SECONDS;
    // One machine has one time of boot at a moment.
    const isOther = boot.at === latest.at && boot.bootedAt > latest.bootedAt + SAME_BOOT_SECONDS;
    if (goesBack || isOther)
      return [Math.max(latest.bootedAt, boot.bootedAt), Math.min(latest.bootedAt, boot.bootedAt)];
    if (boot.bootedAt > latest.bootedAt || boot.at > latest.at)
      latest = { at: boot.at, bootedAt: Math.max(latest.bootedAt, boot.bootedAt) };
  }
  return null;
}

/** A time that no calendar has is shown as seconds. */
const momentOf = (seconds: number): string => {
  const moment = new Date(seconds * 1000);
  return Number.isNaN(moment.getTime()) ? String(seconds) : moment.toISOString().slice(0, 19).concat('Z');
};
