import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { RetentionAnswer } from '@plimsoll/contract/wire/accounts/account';
import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { putRetention, resetRetention, retentionQuery } from '../../api/account.ts';
import { useQuery } from '../../api/query.ts';
import { useIsAdmin } from '../../api/user.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Panel, PanelBody } from '../../components/panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { Buttons, Stack, Text } from './profile-parts.tsx';
import { useAction } from './use-action.ts';

type Settings = RetentionAnswer['settings'];
const Fields = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(4, minmax(0, 1fr))',
  gap: 12,
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: '1fr 1fr' },
}));
/** Longest times in days: those the privacy page promises. */
const KINDS = [
  { name: 'metrics_days', label: 'Metrics', most: 365 },
  { name: 'alerts_days', label: 'Alerts', most: 730 },
  { name: 'events_days', label: 'Events', most: 365 },
  { name: 'processes_days', label: 'Processes', most: 14 },
] as const;

const problemOf = (text: string, most: number) => {
  const days = Number(text);
  return text.trim() !== '' && Number.isInteger(days) && days >= 1 && days <= most ? null : `1 to ${most} days`;
};

const days = (n: number): string => (n === 1 ? '1 day' : `${String(n)} days`);

/** Names what the next clean-up deletes if `next` is saved: each kind that is kept for a shorter time than `now`. */
function lossOf(now: Settings, next: Settings): string | null {
  const parts = KINDS.filter(({ name }) => next[name] < now[name]).map(
    ({ name, label }) => `${label.toLowerCase()} older than ${days(next[name])}`,
  );
  const last = parts.pop();
  if (last === undefined) return null;
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

const WHAT = 'Days until stored data is deleted. A shorter time takes effect at the next clean-up, within one hour.';

/** For members who may not change the times. */
function RetentionTimes({ answer }: { answer: RetentionAnswer }) {
  return (
    <Stack>
      <Text>{WHAT} Only an admin of the organisation changes them.</Text>
      <Fields>
        {KINDS.map(({ name, label }) => (
          <LabelledInput key={name} label={label} value={String(answer.settings[name])} disabled />
        ))}
      </Fields>
    </Stack>
  );
}

function RetentionForm({ answer }: { answer: RetentionAnswer }) {
  const [typed, setTyped] = useState<Partial<Record<keyof Settings, string>>>({});
  const save = useAction(putRetention, 'retention');
  const reset = useAction(resetRetention, 'retention');
  const textOf = (name: keyof Settings) => typed[name] ?? String(answer.settings[name]);
  const wrong = KINDS.some(({ name, most }) => problemOf(textOf(name), most) !== null);
  const changed = KINDS.some(({ name }) => textOf(name) !== String(answer.settings[name]));
  const next: Settings = {
    metrics_days: Number(textOf('metrics_days')),
    alerts_days: Number(textOf('alerts_days')),
    events_days: Number(textOf('events_days')),
    processes_days: Number(textOf('processes_days')),
  };
  const loss = wrong ? null : lossOf(answer.settings, next);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if ((await save.start(next)) !== null) setTyped({});
  };
  const error = save.error ?? reset.error;
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <Text>{WHAT}</Text>
        <Fields>
          {KINDS.map(({ name, label, most }) => (
            <LabelledInput
              key={name}
              label={label}
              inputMode="numeric"
              value={textOf(name)}
              onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
              problem={problemOf(textOf(name), most)}
            />
          ))}
        </Fields>
        {loss !== null && (
          <Notice tone="warning">Saving deletes {loss} within one hour. Nothing brings it back.</Notice>
        )}
        {error !== null && <Notice tone="error">{error}</Notice>}
        <Buttons>
          <Button variant="contained" type="submit" disabled={wrong || !changed || save.busy}>
            Save
          </Button>
          <Button
            variant="outlined"
            disabled={answer.is_default || reset.busy}
            onClick={() => void reset.start().then(() => setTyped({}))}
          >
            Back to defaults
          </Button>
        </Buttons>
      </Stack>
    </form>
  );
}

export function RetentionPanel() {
  const asked = useQuery(retentionQuery());
  const isAdmin = useIsAdmin();
  return (
    <Panel title="Retention">
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={2} height={52} />}
      {asked.data !== undefined && (
        <PanelBody>
          {isAdmin ? <RetentionForm answer={asked.data} /> : <RetentionTimes answer={asked.data} />}
        </PanelBody>
      )}
    </Panel>
  );
}
