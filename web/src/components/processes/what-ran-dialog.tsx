import { PROCESS_HISTORY } from '@plimsoll/contract/rules/limits';
import { useState } from 'react';
import { chosenMoment, momentText } from '../../time/moment-input.ts';
import { zoneName } from '../../time/zone.ts';
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx';
import { LabelledInput } from '../form/labelled-input.tsx';

interface WhatRanDialogProps {
  at: number | null;
  onChoose: (at: number) => void;
  onClose: () => void;
}

/** Mounted while it is open, so that it begins with what the page shows. `at` is epoch seconds. */
export default function WhatRanDialog({ at, onChoose, onClose }: WhatRanDialogProps) {
  const [openedMs] = useState(Date.now);
  const begin = at ?? openedMs / 1000;
  const [text, setText] = useState(() => momentText(begin));
  const chosen = chosenMoment(text, openedMs, PROCESS_HISTORY.days);
  return (
    <ConfirmDialog
      open
      title="What ran at"
      confirm="Show processes"
      disabled={chosen.at === null}
      onConfirm={() => {
        if (chosen.at === null) return;
        onChoose(chosen.at);
        onClose();
      }}
      onClose={onClose}
    >
      <LabelledInput
        label={`Day and time (${zoneName(begin * 1000)})`}
        type="datetime-local"
        value={text}
        onChange={(event) => setText(event.target.value)}
        hint="Every minute of the last 48 hours, every quarter of an hour of the last 14 days."
        problem={chosen.problem}
      />
    </ConfirmDialog>
  );
}
