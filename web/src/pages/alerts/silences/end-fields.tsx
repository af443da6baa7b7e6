import { SILENCE_LIMITS } from '@plimsoll/contract/rules/alert-acting';
import { LabelledInput } from '../../../components/form/labelled-input.tsx';
import { localText, readLocal } from '../../../time/snooze-end.ts';
import { zoneName } from '../../../time/zone.ts';

/** The end of a silence as `datetime-local` inputs write it, and its reason. */
export interface EndDraft {
  end: string;
  comment: string;
}

export const endDraft = (endMs: number, comment = ''): EndDraft => ({ end: localText(endMs), comment });

/** Returns what is wrong with the end. `now`: when the form opened, epoch milliseconds. */
function endProblem({ end }: EndDraft, now: number): string | null {
  const at = readLocal(end);
  if (at === null || at <= now) return 'Choose a time in the future.';
  return at > now + SILENCE_LIMITS.longestSeconds * 1000 ? 'At most 90 days ahead.' : null;
}

/** Returns what the API takes; null: the end has a problem. */
export function endOf(draft: EndDraft, now: number): { ends_at: string; comment: string } | null {
  const at = readLocal(draft.end);
  if (at === null || endProblem(draft, now) !== null) return null;
  return { ends_at: new Date(at).toISOString(), comment: draft.comment.trim() };
}

interface EndFieldsProps {
  draft: EndDraft;
  now: number;
  /** The API's error about the end. */
  refused?: string | undefined;
  onChange: (draft: EndDraft) => void;
}

/** Asks until when nothing is sent, and why. */
export function EndFields({ draft, now, refused, onChange }: EndFieldsProps) {
  return (
    <>
      <LabelledInput
        label={`Until (${zoneName(readLocal(draft.end) ?? now)})`}
        type="datetime-local"
        value={draft.end}
        problem={endProblem(draft, now) ?? refused}
        onChange={(event) => onChange({ ...draft, end: event.target.value })}
      />
      <LabelledInput
        label="Reason (optional)"
        value={draft.comment}
        inputProps={{ maxLength: SILENCE_LIMITS.commentCharacters }}
        onChange={(event) => onChange({ ...draft, comment: event.target.value })}
      />
    </>
  );
}
