import { CHECK_LIMITS } from '@plimsoll/contract/rules/check-limits';
import type { CheckCreatedAnswer, CheckDetail } from '@plimsoll/contract/wire/checks/checks';
import { useState } from 'react';
import { createCheck, updateCheck } from '../../api/checks.ts';
import { failureText, fieldFailureText, type RequestFailed } from '../../api/client.ts';
import { useMutation, useQueryClient } from '../../api/query.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { useStored } from '../../state/use-stored.ts';
import { chosenZone } from '../../time/zone.ts';
import { browserZone, zoneToday } from '../../time/zone-list.ts';
import { Notice } from '../feedback/notice.tsx';
import { crontabProps, draftInput, ZoneSelect } from '../form/draft-fields.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { FieldRow } from '../form/form-parts.tsx';
import { LabelledSelect } from '../form/labelled-select.tsx';
import {
  heartbeatDraftOf,
  heartbeatField,
  heartbeatProblems,
  heartbeatRequest,
  newHeartbeat,
} from './heartbeat-draft.ts';
import type { HeartbeatDraft, HeartbeatProblems } from './heartbeat-draft.ts';
import { HeartbeatKey } from './heartbeat-key.tsx';

const KINDS = [
  { value: 'interval', label: 'Every so often' },
  { value: 'cron', label: 'By a crontab line' },
];

interface FieldsProps {
  draft: HeartbeatDraft;
  problems: HeartbeatProblems;
  onChange: (part: Partial<HeartbeatDraft>) => void;
}

function HeartbeatFields(form: FieldsProps) {
  const { draft, problems, onChange } = form;
  const input = draftInput(form);
  return (
    <>
      {input('name', {
        label: 'Name',
        placeholder: 'Nightly backup',
        inputProps: { maxLength: CHECK_LIMITS.nameCharacters },
      })}
      <FieldRow>
        <LabelledSelect
          label="The job runs"
          value={draft.kind}
          options={KINDS}
          onChange={(kind) => onChange({ kind: kind === 'cron' ? 'cron' : 'interval' })}
        />
        {draft.kind === 'interval'
          ? input('every', { label: 'Interval', hint: '20 min, 6 h, 1 d' })
          : input('expression', {
              ...crontabProps,
              placeholder: '30 2 * * *',
              hint: 'Minute, hour, day, month, weekday',
            })}
      </FieldRow>
      {draft.kind === 'cron' && (
        <ZoneSelect
          label="Time zone of the schedule"
          zone={draft.zone}
          problem={problems.zone}
          onZone={(zone) => onChange({ zone })}
        />
      )}
      {input('grace', { label: 'Grace', hint: 'A call may be late by this much before the heartbeat is down.' })}
    </>
  );
}

interface HeartbeatDialogProps {
  /** Null creates one and then shows its key. */
  check: CheckDetail | null;
  onClose: () => void;
  /** Called with the new heartbeat when its key was read. */
  onCreated?: (checkId: string) => void;
}

/** The form of a heartbeat: its name, when the job runs, how late it may be. */
export function HeartbeatDialog({ check, onClose, onCreated }: HeartbeatDialogProps) {
  const [zone] = useStored(chosenZone);
  const here = zone === null ? browserZone() : zoneToday(zone);
  const [draft, setDraft] = useState(() => (check === null ? newHeartbeat(here) : heartbeatDraftOf(check, here)));
  const [tried, setTried] = useState(false);
  const queries = useQueryClient();
  const save = useMutation<CheckCreatedAnswer | null, RequestFailed, HeartbeatDraft>({
    mutationFn: async (saved) => {
      const body = heartbeatRequest(saved, check);
      if (check === null) return createCheck(body);
      await updateCheck(check.check_id, body);
      return null;
    },
    async onSuccess(created) {
      await queries.invalidateQueries({ queryKey: ['checks'] });
      if (created === null) onClose();
    },
  });
  if (save.data != null) {
    const { check: made, heartbeat_key: key } = save.data;
    return (
      <HeartbeatKey
        name={escapeInvisible(made.name)}
        heartbeatKey={key ?? ''}
        onClose={() => onCreated?.(made.check_id)}
      />
    );
  }
  const wrong = heartbeatProblems(draft);
  const isWrong = Object.keys(wrong).length > 0;
  const field = heartbeatField(save.error?.field ?? null);
  const refused = save.error === null || field === null ? {} : { [field]: fieldFailureText(save.error) };
  return (
    <FormDialog
      title={check === null ? 'Add heartbeat' : 'Edit heartbeat'}
      submit={check === null ? 'Create' : 'Save'}
      busy={save.isPending}
      onSubmit={() => {
        setTried(true);
        if (!isWrong) save.mutate(draft);
      }}
      onClose={onClose}
    >
      <HeartbeatFields
        draft={draft}
        problems={{ ...(tried && wrong), ...refused }}
        onChange={(part) => {
          save.reset();
          setDraft({ ...draft, ...part });
        }}
      />
      {save.error !== null && field === null && <Notice tone="error">{failureText(save.error)}</Notice>}
    </FormDialog>
  );
}
