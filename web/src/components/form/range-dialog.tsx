import { useState } from 'react';
import { chosenRange, momentText } from '../../time/moment-input.ts';
import { rangeBounds } from '../../time/range.ts';
import type { TimeRange } from '../../time/range.ts';
import { zoneName } from '../../time/zone.ts';
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx';
import { LabelledInput } from './labelled-input.tsx';

interface RangeDialogProps {
  range: TimeRange;
  onChoose: (range: TimeRange) => void;
  onClose: () => void;
}

/** Two moments in the chosen zone. Mounted while it is open, so that it begins with what the page shows. */
export function RangeDialog({ range, onChoose, onClose }: RangeDialogProps) {
  const [openedMs] = useState(Date.now);
  const shown = rangeBounds(range, openedMs);
  const [from, setFrom] = useState(() => momentText(shown.from));
  const [to, setTo] = useState(() => momentText(shown.to));
  const { range: chosen, problem } = chosenRange(from, to, openedMs);
  const zone = zoneName(shown.from * 1000);
  const choose = () => {
    if (chosen === null) return;
    onChoose(chosen);
    onClose();
  };
  return (
    <ConfirmDialog
      open
      title="Show a time range"
      confirm="Show"
      disabled={chosen === null}
      onConfirm={choose}
      onClose={onClose}
    >
      <LabelledInput
        label={`From (${zone})`}
        type="datetime-local"
        value={from}
        onChange={(event) => setFrom(event.target.value)}
      />
      <LabelledInput
        label={`To (${zone})`}
        type="datetime-local"
        value={to}
        onChange={(event) => setTo(event.target.value)}
        problem={problem}
      />
    </ConfirmDialog>
  );
}
