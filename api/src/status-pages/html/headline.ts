import { PUBLIC_PART_STATES, type PublicPartState } from '@plimsoll/contract/rules/checks/status-page-limits';
import type { PublicIncident, PublicStatusPage } from '@plimsoll/contract/wire/checks/public-status-page';
import { timeWords } from './time-words.ts';

type Told = Pick<PublicStatusPage, 'parts' | 'incidents' | 'as_of'>;

const IS: Record<PublicPartState, readonly [one: string, several: string]> = {
  offline: ['is down', 'are down'],
  partly_offline: ['is partly down', 'are partly down'],
  over_line: ['may be slow', 'may be slow'],
  maintenance: ['is in planned maintenance', 'are in planned maintenance'],
  operational: ['works normally', 'work normally'],
  not_reporting: ['is not known yet', 'are not known yet'],
};

const isOpen = ({ resolved_at: resolvedAt }: PublicIncident): boolean => resolvedAt === null;
const count = (parts: Told['parts'], state: PublicPartState): number =>
  parts.filter((part) => part.state === state).length;

/** Returns the worst state of parts and open incidents, and the incident that alone has it. */
function worstOf({ parts, incidents }: Told): { state: PublicPartState; told: PublicIncident | undefined } {
  const open = incidents.filter(isOpen);
  const worst = PUBLIC_PART_STATES.find(
    (state) => count(parts, state) > 0 || open.some(({ impact }) => impact === state),
  );
  const state = worst ?? 'not_reporting';
  return { state, told: count(parts, state) > 0 ? undefined : open.find(({ impact }) => impact === state) };
}

/** Returns the worst state in one sentence: "Checkout is partly down". */
export function headline(page: Told): string {
  const { parts } = page;
  const { state, told } = worstOf(page);
  if (told !== undefined) return told.title;
  if (parts.length === 0) return 'This page has no parts yet';
  const those = parts.filter((part) => part.state === state);
  const [one, several] = IS[state];
  if (state === 'operational') return 'Everything works normally';
  if (state === 'not_reporting') return 'Nothing is known yet';
  if (those.length === 1) return `${those[0]?.name ?? ''} ${one}`;
  return those.length === parts.length ? `Everything ${one}` : `${String(those.length)} parts ${several}`;
}

/** Returns the sentence below the headline: the other parts, and the time of the next update. */
export function summary(page: Told): string {
  const { parts, as_of: now } = page;
  const { state } = worstOf(page);
  const total = parts.length;
  const normal = count(parts, 'operational');
  const others = (['maintenance', 'not_reporting'] as const).flatMap((other) => {
    const those = count(parts, other);
    return those === 0 || other === state ? [] : [`${String(those)} ${IS[other][those === 1 ? 0 : 1]}`];
  });
  const counted = `${String(normal)} of ${String(total)} ${total === 1 ? 'part works' : 'parts work'} normally`;
  const first =
    total === 0 || (state === 'operational' && others.length === 0) ? [] : [[counted, ...others].join(', ')];
  const promised = page.incidents
    .filter(isOpen)
    .flatMap(({ next_update_at: at }) => (at === null ? [] : [at]))
    .toSorted()[0];
  const next =
    promised === undefined
      ? page.incidents.some(isOpen)
        ? ['We are on it']
        : []
      : promised > now
        ? [`We are on it; the next update comes by ${timeWords(promised, now)} UTC`]
        : [`We are on it; the next update was due at ${timeWords(promised, now)} UTC`];
  return [...first, ...next].map((sentence) => `${sentence}.`).join(' ');
}
