import { BULK_LIMITS, type BulkAction, type BulkOutcome } from '@plimsoll/contract/rules/alert-acting';
import type { PersonId } from '../../tenancy/ids.ts';

/** Times are epoch milliseconds. */

/** An action of a user on several alerts at once. */
export type BulkOperation =
  | { action: 'acknowledge'; alertIds: readonly string[]; note: string | null }
  | { action: 'unacknowledge'; alertIds: readonly string[] }
  /** Silences the key of each alert: its server, rule and subject. */
  | { action: 'silence'; alertIds: readonly string[]; startsAt: number; endsAt: number; comment: string };

export interface Acknowledgement {
  at: number;
  /** Account; null: it is gone. */
  by: string | null;
  note: string | null;
}

/** Change of one alert by an operation, as the undo needs it. */
export type BulkChange =
  | { alertId: string; before: Acknowledgement | null; after: Acknowledgement | null }
  | { alertId: string; silenceId: string };

export interface BulkResult {
  operationId: string;
  action: BulkAction;
  /** `about`: title and place of the alert in words; null: the owner has no such alert. */
  outcomes: { alertId: string; outcome: BulkOutcome; about: string | null }[];
}
/** An operation is undone once, and not for long. */
export type UndoResult = BulkResult | 'not_found' | 'undone' | 'expired';

/** Returns what the acknowledgement of an alert becomes; unchanged: it already is so. */
export function acknowledged(
  current: Acknowledgement | null,
  operation: { action: 'acknowledge'; note: string | null } | { action: 'unacknowledge' },
  by: { personId: PersonId; now: number },
): { outcome: 'done'; after: Acknowledgement | null } | { outcome: 'unchanged' } {
  if (operation.action === 'unacknowledge')
    return current === null ? { outcome: 'unchanged' } : { outcome: 'done', after: null };
  const { note } = operation;
  // A second click without a note must not erase the first note.
  if (current !== null && (note === null || note === current.note)) return { outcome: 'unchanged' };
  return { outcome: 'done', after: { at: by.now, by: by.personId, note } };
}

export const isSame = (a: Acknowledgement | null, b: Acknowledgement | null): boolean =>
  a === null || b === null ? a === b : a.at === b.at && a.by === b.by && a.note === b.note;

export const undoUntil = (at: number): number => at + BULK_LIMITS.undoSeconds * 1000;

export const doneOf = ({ outcomes }: BulkResult): BulkResult['outcomes'] =>
  outcomes.filter(({ outcome }) => outcome === 'done');
