import { ALERT_LEVELS } from '@plimsoll/contract/rules/limits';
import type { RoutingView } from '@plimsoll/contract/wire/notify';
import { plural } from '../../../format/figures.ts';
import { tagsText } from '../../../format/tags-text.ts';

/** "Warning and worse", "Critical", "All levels". */
function levelWords(levels: RoutingView['levels']): string {
  if (levels.length === ALERT_LEVELS.length) return 'All levels';
  const worst = ALERT_LEVELS.slice(0, levels.length);
  const last = worst.at(-1) ?? 'critical';
  const named = ALERT_LEVELS.filter((level) => levels.includes(level)).join(', ');
  const text = levels.length > 1 && worst.every((level) => levels.includes(level)) ? `${last} and worse` : named;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Says which alerts go through a channel, and when: one phrase for each part of the routing that is set. */
export function routingWords({ levels, tags, quiet_hours: quiet, repeat_minutes: repeat }: RoutingView): string[] {
  const words = [levelWords(levels)];
  if (Object.keys(tags).length > 0) words.push(`only servers with ${tagsText(tags)}`);
  if (quiet !== null) {
    const passes = quiet.critical_passes ? 'critical alerts pass' : 'all alerts wait';
    words.push(`quiet ${quiet.from}–${quiet.to} ${quiet.time_zone}, ${passes}`);
  }
  if (repeat !== null) words.push(`repeats every ${repeat % 60 === 0 ? plural(repeat / 60, 'hour') : `${repeat} min`}`);
  return words;
}
