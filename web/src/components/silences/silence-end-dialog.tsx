import { useState } from 'react';
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx';
import { tomorrowMorning } from '../../time/silence-end.ts';
import { endDraft, EndFields, endOf } from './end-fields.tsx';

interface SilenceEndDialogProps {
  about: string;
  onClose: () => void;
  onSilence: (end: { ends_at: string; comment?: string }) => void;
}

/** Form for the end of a silence and a reason. */
export default function SilenceEndDialog({ about, onClose, onSilence }: SilenceEndDialogProps) {
  const [now] = useState(() => Date.now());
  const [draft, setDraft] = useState(() => endDraft(tomorrowMorning(now)));
  const end = endOf(draft, now);
  return (
    <ConfirmDialog
      open
      title={`Silence ${about}`}
      confirm="Silence"
      disabled={end === null}
      onConfirm={() => end !== null && onSilence(end)}
      onClose={onClose}
    >
      <EndFields draft={draft} now={now} onChange={setDraft} />
    </ConfirmDialog>
  );
}
