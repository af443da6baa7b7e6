import { useState } from 'react';
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx';
import { tomorrowMorning } from '../../../time/snooze-end.ts';
import { endDraft, EndFields, endOf } from '../silences/end-fields.tsx';

interface SnoozeDialogProps {
  about: string;
  onClose: () => void;
  onSnooze: (end: { ends_at: string; comment?: string }) => void;
}

/** Form for the end of a snooze and a reason. */
export function SnoozeDialog({ about, onClose, onSnooze }: SnoozeDialogProps) {
  const [now] = useState(() => Date.now());
  const [draft, setDraft] = useState(() => endDraft(tomorrowMorning(now)));
  const end = endOf(draft, now);
  return (
    <ConfirmDialog
      open
      title={`Snooze ${about}`}
      confirm="Snooze"
      disabled={end === null}
      onConfirm={() => end !== null && onSnooze(end)}
      onClose={onClose}
    >
      <EndFields draft={draft} now={now} onChange={setDraft} />
    </ConfirmDialog>
  );
}
