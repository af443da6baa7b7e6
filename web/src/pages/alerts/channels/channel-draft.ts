import { CHANNEL_FORMS } from '@plimsoll/contract/rules/channel-forms';
import { ALERT_LEVELS, type AlertLevel } from '@plimsoll/contract/rules/limits';
import { nameProblem } from '@plimsoll/contract/rules/printable-text';
import { DEFAULT_REPEAT_MINUTES, NOTIFY_LIMITS, type ChannelType } from '@plimsoll/contract/rules/notify';
import type { ChannelRequest, ChannelView, RoutingView } from '@plimsoll/contract/wire/notify';
import { readTags, tagsText } from '../../../format/tags-text.ts';
import { CHANNEL_WORDS } from './channel-words.ts';

/** The form as typed. Texts stay as they are until they are sent. */
export interface ChannelDraft {
  type: ChannelType;
  name: string;
  settings: Readonly<Record<string, string>>;
  /** Names of stored optional secrets that saving removes. */
  removed: readonly string[];
  levels: readonly AlertLevel[];
  tags: string;
  quiet: { on: boolean; from: string; to: string; timeZone: string; criticalPasses: boolean };
  /** Minutes; '' sends an alert once. */
  repeat: string;
}

/** Problems by field: `name`, `settings.chat_id`, `levels`, `tags`, `quiet.from`, `quiet.to`, `quiet.timeZone`, `repeat`. */
export type Problems = Readonly<Record<string, string>>;

/** Returns a setting as text; '' if there is none. */
export const settingText = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const settingsOf = (type: ChannelType, stored: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(CHANNEL_FORMS[type].fields).map(([name, { fallback }]) => [
      name,
      settingText(stored[name] ?? fallback),
    ]),
  );

const draftRouting = (routing: RoutingView | null, timeZone: string) => ({
  levels: routing?.levels ?? [...ALERT_LEVELS],
  tags: tagsText(routing?.tags ?? {}),
  quiet: {
    on: routing?.quiet_hours != null,
    from: routing?.quiet_hours?.from ?? '22:00',
    to: routing?.quiet_hours?.to ?? '07:00',
    timeZone: routing?.quiet_hours?.time_zone ?? timeZone,
    criticalPasses: routing?.quiet_hours?.critical_passes ?? true,
  },
  repeat: settingText(routing === null ? DEFAULT_REPEAT_MINUTES : routing.repeat_minutes),
});

/** Returns an empty form, with the zone of the person for quiet hours. */
export const newDraft = (type: ChannelType, timeZone: string): ChannelDraft => ({
  type,
  name: CHANNEL_WORDS[type].name,
  settings: settingsOf(type, {}),
  removed: [],
  ...draftRouting(null, timeZone),
});

export const draftOf = (channel: ChannelView, timeZone: string): ChannelDraft => ({
  type: channel.type,
  name: channel.name,
  settings: settingsOf(channel.type, channel.settings),
  removed: [],
  ...draftRouting(channel.routing, timeZone),
});

/** Changes the kind and keeps what is the same: a name of the person's own, and the routing. */
export function withType(draft: ChannelDraft, type: ChannelType): ChannelDraft {
  const isOwnName = draft.name !== CHANNEL_WORDS[draft.type].name;
  return {
    ...draft,
    type,
    name: isOwnName ? draft.name : CHANNEL_WORDS[type].name,
    settings: settingsOf(type, {}),
    removed: [],
  };
}

/** Returns the value as the API takes it; undefined for an empty one. */
function valueOf(type: ChannelType, name: string, text: string): unknown {
  const typed = text.trim();
  if (typed === '') return undefined;
  const kind = CHANNEL_WORDS[type].fields[name]?.kind;
  if (kind === 'number') return Number(typed);
  return kind === 'list' ? typed.split(/[,;\s]+/).filter((part) => part !== '') : typed;
}

const sentence = (words: string) =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith('…') ? '' : '.'}`;

/** Returns what is wrong with one setting. `kept`: a secret is stored and stays if nothing is typed. */
function settingProblem(draft: ChannelDraft, name: string, kept: boolean): string | null {
  const field = CHANNEL_FORMS[draft.type].fields[name];
  const value = valueOf(draft.type, name, draft.settings[name] ?? '');
  if (field === undefined) return null;
  if (value === undefined)
    return field.isOptional === true || kept || field.fallback !== undefined ? null : 'Must not be empty. Fill it in.';
  const problem = field.check(value);
  return problem === null ? null : sentence(problem);
}

/** Settings that do not fit together. */
function conflictOf({ type, settings }: ChannelDraft): [string, string][] {
  const { fields, conflict } = CHANNEL_FORMS[type];
  const values = Object.fromEntries(
    Object.keys(fields).map((name) => [name, valueOf(type, name, settings[name] ?? '')]),
  );
  const found = conflict?.(values) ?? null;
  return found === null ? [] : [[`settings.${found.field}`, sentence(found.problem)]];
}

const { min, max } = NOTIFY_LIMITS.repeatMinutes;
function routingProblems({ levels, tags, quiet, repeat }: ChannelDraft): [string, string][] {
  const problems: [string, string][] = [];
  const read = readTags(tags);
  const minutes = Number(repeat);
  if (levels.length === 0) problems.push(['levels', 'Must have at least one level. Choose one.']);
  if ('problem' in read) problems.push(['tags', read.problem]);
  else if (Object.keys(read.tags).length > NOTIFY_LIMITS.tags)
    problems.push(['tags', `Must be at most ${NOTIFY_LIMITS.tags} tags. Remove some.`]);
  if (quiet.on && quiet.from === '') problems.push(['quiet.from', 'Must be a time. Choose one.']);
  if (quiet.on && quiet.to === '') problems.push(['quiet.to', 'Must be a time. Choose one.']);
  if (quiet.on && quiet.to !== '' && quiet.from === quiet.to)
    problems.push(['quiet.to', 'Must differ from the start. Choose another time.']);
  if (repeat.trim() !== '' && !(Number.isInteger(minutes) && minutes >= min && minutes <= max))
    problems.push(['repeat', `Must be a whole number from ${min} to ${max}, or empty. Type another one.`]);
  return problems;
}

/** Returns everything that is wrong with the form. `secrets`: those the API has already. */
export function draftProblems(draft: ChannelDraft, secrets: Readonly<Record<string, string>> = {}): Problems {
  const settings = Object.keys(CHANNEL_FORMS[draft.type].fields).flatMap((name): [string, string][] => {
    const problem = settingProblem(draft, name, name in secrets);
    return problem === null ? [] : [[`settings.${name}`, problem]];
  });
  const hiding = nameProblem(draft.name.trim());
  const clash = conflictOf(draft);
  const wrong = draft.name.trim() === '' ? 'Must not be empty. Fill it in.' : hiding && sentence(hiding);
  const name: [string, string][] = wrong === null ? [] : [['name', wrong]];
  return Object.fromEntries([...name, ...clash, ...settings, ...routingProblems(draft)]);
}

/** Returns what is sent to the API. Call it only for a form without problems. */
export function requestOf(draft: ChannelDraft): ChannelRequest {
  const read = readTags(draft.tags);
  const { on, from, to, timeZone, criticalPasses } = draft.quiet;
  const settings = Object.entries(draft.settings).flatMap(([name, text]): [string, unknown][] => {
    const value = draft.removed.includes(name) ? null : valueOf(draft.type, name, text);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    type: draft.type,
    name: draft.name.trim(),
    settings: Object.fromEntries(settings),
    routing: {
      levels: ALERT_LEVELS.filter((level) => draft.levels.includes(level)),
      tags: 'tags' in read ? read.tags : {},
      quiet_hours: on ? { from, to, time_zone: timeZone, critical_passes: criticalPasses } : null,
      repeat_minutes: draft.repeat.trim() === '' ? null : Number(draft.repeat),
    },
  };
}

/** Names of the API's fields in this form. */
const FIELD_OF_API: Readonly<Record<string, string>> = {
  'routing.levels': 'levels',
  'routing.tags': 'tags',
  'routing.quiet_hours.from': 'quiet.from',
  'routing.quiet_hours.to': 'quiet.to',
  'routing.quiet_hours.time_zone': 'quiet.timeZone',
  'routing.repeat_minutes': 'repeat',
};

/** Returns the field of the form that the API's error names; null: none, the form shows it as a whole. */
export function fieldOfApi(draft: ChannelDraft, field: string | null): string | null {
  if (field === null) return null;
  const name = FIELD_OF_API[field] ?? field;
  if (name === 'name' || Object.values(FIELD_OF_API).includes(name)) return name;
  const setting = /^settings\.(\w+)$/.exec(name)?.[1];
  return setting !== undefined && setting in CHANNEL_FORMS[draft.type].fields ? name : null;
}
