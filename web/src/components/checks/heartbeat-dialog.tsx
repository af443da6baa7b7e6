import { CHECK_LIMITS } from '@plimsoll/contract/rules/check-limits';
import type { CheckCreatedAnswer, CheckDetail } from '@plimsoll/contract/wire/checks/checks';
import { useState } from 'react';
import { createCheck, updateCheck } from '../../api/checks.ts';
import { failureText, fieldFailureText, type RequestFailed } from '../../api/client.ts';
import { useMutation, useQueryClient } from '../../api/query.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { useStored } from '../../state/use-stored.ts';
import { chosenZone } from '../../time/zone.ts';
import { browserZone, zoneList, zoneToday } from '../../time/zone-list.ts';
import { Notice } from '../feedback/notice.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { FieldRow } from '../form/form-parts.tsx';
import { LabelledInput } from '../form/labelled-input.tsx';
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

const ZONES = zoneList().map((name) => ({ value: name, label: name }));
const KINDS = [
  { value: 'interval', label: 'Every so often' },
  { value: 'cron', label: 'By a crontab line' },
];

interface FieldsProps {
  draft: HeartbeatDraft;
  problems: HeartbeatProblems;
  onChange: (part: Partial<HeartbeatDraft>) => void;
}

function HeartbeatFields({ draft, problems, onChange }: FieldsProps) {
  return (
    <>
      <LabelledInput
        label="Name"
        placeholder="Nightly backup"
        value={draft.name}
        problem={problems.name}
        inputProps={{ maxLength: CHECK_LIMITS.nameCharacters }}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <FieldRow>
        <LabelledSelect
          label="The job runs"
          value={draft.kind}
          options={KINDS}
          onChange={(kind) => onChange({ kind: kind === 'cron' ? 'cron' : 'interval' })}
        />
        {draft.kind === 'interval' ? (
          <LabelledInput
            label="Interval"
            value={draft.every}
            problem={problems.every}
            hint="20 min, 6 h, 1 d"
            onChange={(event) => onChange({ every: event.target.value })}
          />
        ) : (
          <LabelledInput
            label="Schedule"
            placeholder="30 2 * * *"
            value={draft.expression}
            problem={problems.expression}
            hint="Minute, hour, day, month, weekday"
            inputProps={{ maxLength: 100, spellCheck: false }}
            onChange={(event) => onChange({ expression: event.target.value })}
          />
        )}
      </FieldRow>
      {draft.kind === 'cron' && (
        <LabelledSelect
          label="Time zone of the schedule"
          value={draft.zone}
          options={ZONES}
          problem={problems.zone}
          onChange={(zone) => onChange({ zone })}
        />
      )}
      <LabelledInput
        label="Grace"
        value={draft.grace}
        problem={problems.grace}
        hint="How late a call may be before the heartbeat is down."
        onChange={(event) => onChange({ grace: event.target.value })}
      />
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
