import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { ACKNOWLEDGE_LIMITS } from '@plimsoll/contract/rules/alert-acting';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { LabelledInput } from '../../../components/form/labelled-input.tsx';
import type { Acting } from '../acting/use-acting.ts';

const Form = styled('form')({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', alignItems: 'end', gap: 8 });

/** Acknowledges with a note, or takes the acknowledgement back. */
export function NoteForm({ alert, acting }: { alert: Alert; acting: Acting }) {
  const [note, setNote] = useState('');
  const ids = [alert.alert_id];
  if (alert.status === 'resolved') return null;
  if (alert.acknowledged_at !== null)
    return (
      <div>
        <Button
          variant="outlined"
          disabled={acting.busy}
          onClick={() => acting.act({ action: 'unacknowledge', alert_ids: ids })}
        >
          Take acknowledgement back
        </Button>
      </div>
    );
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    acting.act({ action: 'acknowledge', alert_ids: ids, note: note.trim() === '' ? null : note.trim() });
  };
  return (
    <Form onSubmit={submit}>
      <LabelledInput
        label="Note (optional)"
        value={note}
        inputProps={{ maxLength: ACKNOWLEDGE_LIMITS.noteCharacters }}
        onChange={(event) => setNote(event.target.value)}
      />
      <Button variant="outlined" type="submit" disabled={acting.busy}>
        Acknowledge
      </Button>
    </Form>
  );
}
