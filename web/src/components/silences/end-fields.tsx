import { HOUR_MS, MINUTE_MS } from '@plimsoll/contract/rules/durations';
import Button from '@mui/material/Button';
import { SILENCE_LIMITS } from '@plimsoll/contract/rules/alert-acting';
import { LabelledInput } from '../form/labelled-input.tsx';
import { localText, readLocal, tomorrowMorning } from '../../time/silence-end.ts';
import { zoneName } from '../../time/zone.ts';
import { ButtonRow } from '../form/form-parts.tsx';

/** The end of a silence as `datetime-local` inputs write it, and its reason. */
export interface EndDraft {
  end: string;
  comment: string;
}

export const endDraft = (endMs: number, comment = ''): EndDraft => ({ end: localText(endMs), comment });

/** Returns what is wrong with the end. `now`: when the form opened, epoch milliseconds. */
function endProblem({ end }: EndDraft, now: number): string | null {
  const at = readLocal(end);
  if (at === null || at <= now) return 'Must be in the future. Choose a later time.';
  return at > now + SILENCE_LIMITS.longestSeconds * 1000
    ? 'Must be at most 90 days ahead. Choose an earlier time.'
    : null;
}

/** Returns what the API takes; null: the end has a problem. */
export function endOf(draft: EndDraft, now: number): { ends_at: string; comment: string } | null {
  const at = readLocal(draft.end);
  if (at === null || endProblem(draft, now) !== null) return null;
  return { ends_at: new Date(at).toISOString(), comment: draft.comment.trim() };
}

/** The field has minutes: an hour from now ends with the minute after it, so it is never shorter. */
const usualEnds = (now: number) => [
  { name: '1 h', at: now + HOUR_MS + MINUTE_MS },
  { name: '4 h', at: now + 4 * HOUR_MS + MINUTE_MS },
  { name: 'Until tomorrow 08:00', at: tomorrowMorning(now) },
];

interface EndFieldsProps {
  draft: EndDraft;
  now: number;
  /** The API's error about the end. */
  refused?: string | undefined;
  onChange: (draft: EndDraft) => void;
}

/** Asks until when nothing is sent, and why. A button sets a usual end in one click. */
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
      <ButtonRow role="group" aria-label="Usual ends">
        {usualEnds(now).map(({ name, at }) => (
          <Button
            key={name}
            variant="outlined"
            aria-pressed={draft.end === localText(at)}
            onClick={() => onChange({ ...draft, end: localText(at) })}
          >
            {name}
          </Button>
        ))}
      </ButtonRow>
      <LabelledInput
        label="Reason (optional)"
        value={draft.comment}
        inputProps={{ maxLength: SILENCE_LIMITS.commentCharacters }}
        onChange={(event) => onChange({ ...draft, comment: event.target.value })}
      />
    </>
  );
}
