import { SILENCE_LIMITS } from '@plimsoll/contract/rules/alert-acting';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx';
import { LabelledInput } from '../../../components/form/labelled-input.tsx';
import { localText, readLocal, tomorrowMorning } from '../../../time/snooze-end.ts';
import { zoneName } from '../../../time/zone.ts';

interface SnoozeDialogProps {
  about: string;
  onClose: () => void;
  onSnooze: (end: { ends_at: string; comment?: string }) => void;
}

/** Asks for the end of a snooze and a reason. */
export function SnoozeDialog({ about, onClose, onSnooze }: SnoozeDialogProps) {
  const [opened] = useState(() => Date.now());
  const [end, setEnd] = useState(() => localText(tomorrowMorning(opened)));
  const [comment, setComment] = useState('');
  const at = readLocal(end);
  const problem =
    at === null || at <= opened
      ? 'Choose a time in the future.'
      : at > opened + SILENCE_LIMITS.longestSeconds * 1000
        ? 'At most 90 days ahead.'
        : null;
  return (
    <ConfirmDialog
      open
      title={`Snooze ${about}`}
      confirm="Snooze"
      disabled={problem !== null}
      onConfirm={() => at !== null && onSnooze({ ends_at: new Date(at).toISOString(), comment: comment.trim() })}
      onClose={onClose}
    >
      <LabelledInput
        label={`Until (${zoneName(at ?? opened)})`}
        type="datetime-local"
        value={end}
        problem={problem}
        onChange={(event) => setEnd(event.target.value)}
      />
      <LabelledInput
        label="Reason (optional)"
        value={comment}
        inputProps={{ maxLength: SILENCE_LIMITS.commentCharacters }}
        onChange={(event) => setComment(event.target.value)}
      />
    </ConfirmDialog>
  );
}
