import { STATUS_PAGE_LIMITS, type IncidentState } from '@plimsoll/contract/rules/checks/status-page-limits';
import type { StatusIncidentOnWire } from '@plimsoll/contract/wire/checks/status-incidents';
import { useState } from 'react';
import { failureText, type RequestFailed } from '../../api/client.ts';
import { useMutation, useQueryClient } from '../../api/query.ts';
import { addIncidentUpdate, correctIncidentUpdate } from '../../api/status-pages.ts';
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../components/form/labelled-select.tsx';
import { NEXT_UPDATES, nextUpdateAt } from './incident-draft.ts';
import { STATE_OPTIONS } from './incident-dialog.tsx';

interface UpdateDialogProps {
  pageId: string;
  incident: StatusIncidentOnWire;
  /** Null adds one. */
  update: StatusIncidentOnWire['updates'][number] | null;
  onClose: () => void;
}

/** The form of an update: a new one, or the words of one that is published. */
export function UpdateDialog({ pageId, incident, update, onClose }: UpdateDialogProps) {
  const [text, setText] = useState(update?.text ?? '');
  const [state, setState] = useState<IncidentState>(incident.state);
  const [next, setNext] = useState('');
  const queries = useQueryClient();
  const save = useMutation<unknown, RequestFailed, number>({
    mutationFn: (now) =>
      update === null
        ? addIncidentUpdate(pageId, incident.incident_id, {
            state,
            text,
            next_update_at: nextUpdateAt(next, null, now),
          })
        : correctIncidentUpdate(pageId, incident.incident_id, update.update_id, text),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['account'] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      title={update === null ? 'Add an update' : 'Correct the update'}
      confirm={update === null ? 'Publish' : 'Save'}
      disabled={text.trim() === '' || save.isPending}
      onConfirm={() => save.mutate(Date.now())}
      onClose={onClose}
    >
      {update === null && (
        <LabelledSelect
          label="State"
          value={state}
          options={STATE_OPTIONS}
          onChange={(value) => setState(value as IncidentState)}
        />
      )}
      <LabelledInput
        label="What readers should know"
        multiline
        minRows={2}
        maxRows={6}
        value={text}
        inputProps={{ maxLength: STATUS_PAGE_LIMITS.textCharacters }}
        onChange={(event) => {
          save.reset();
          setText(event.target.value);
        }}
      />
      {update === null && state !== 'resolved' && (
        <LabelledSelect label="Next update" value={next} options={NEXT_UPDATES} onChange={setNext} />
      )}
      {save.error !== null && <Notice tone="error">{failureText(save.error)}</Notice>}
    </ConfirmDialog>
  );
}
