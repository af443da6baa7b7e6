import { styled } from '@mui/material/styles';
import {
  IMPACT_WORDS,
  INCIDENT_IMPACTS,
  INCIDENT_STATE_WORDS,
  INCIDENT_STATES,
  STATUS_PAGE_LIMITS,
  type IncidentImpact,
  type IncidentState,
} from '@plimsoll/contract/rules/checks/status-page-limits';
import type { StatusIncidentOnWire } from '@plimsoll/contract/wire/checks/status-incidents';
import type { StatusPageOnWire } from '@plimsoll/contract/wire/checks/status-pages';
import { useState } from 'react';
import { failureText, type RequestFailed } from '../../api/client.ts';
import { useMutation, useQueryClient } from '../../api/query.ts';
import { announceIncident, changeIncident } from '../../api/status-pages.ts';
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Check } from '../../components/form/check.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../components/form/labelled-select.tsx';
import { momentMs } from '../../time/age.ts';
import { dayAndTime, zoneName } from '../../time/zone.ts';
import { incidentBodyOf, incidentDraftOf, KEEP, NEXT_UPDATES, partsOf, type IncidentDraft } from './incident-draft.ts';

const Parts = styled('fieldset')(({ theme }) => ({
  maxHeight: 180,
  margin: 0,
  padding: '4px 8px',
  overflowY: 'auto',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 6,
  '& > legend': { ...theme.typography.caption, padding: '0 4px' },
  '& label': { display: 'flex', overflowWrap: 'anywhere' },
}));

export const STATE_OPTIONS = INCIDENT_STATES.map((value) => ({ value, label: INCIDENT_STATE_WORDS[value] }));
const IMPACT_OPTIONS = INCIDENT_IMPACTS.map((value) => ({ value, label: IMPACT_WORDS[value] }));

const nextOptions = (stored: string | null) => {
  const at = momentMs(stored);
  return at === null ? NEXT_UPDATES : [{ value: KEEP, label: `At ${dayAndTime(at)} ${zoneName(at)}` }, ...NEXT_UPDATES];
};

interface First {
  state: IncidentState;
  text: string;
}
interface FirstUpdateProps {
  first: First;
  onFirst: (first: First) => void;
  problem: string | undefined;
}

function FirstUpdate({ first, onFirst, problem }: FirstUpdateProps) {
  return (
    <>
      <LabelledSelect
        label="State"
        value={first.state}
        options={STATE_OPTIONS}
        onChange={(state) => onFirst({ ...first, state: state as IncidentState })}
      />
      <LabelledInput
        label="What readers should know"
        multiline
        minRows={2}
        maxRows={6}
        value={first.text}
        problem={problem}
        inputProps={{ maxLength: STATUS_PAGE_LIMITS.textCharacters }}
        onChange={(event) => onFirst({ ...first, text: event.target.value })}
      />
    </>
  );
}

interface IncidentDialogProps {
  page: StatusPageOnWire;
  /** Null announces one. */
  incident: StatusIncidentOnWire | null;
  onClose: () => void;
}

/** The form of an incident. A new one also has its first update. */
export function IncidentDialog({ page, incident, onClose }: IncidentDialogProps) {
  const [draft, setDraft] = useState(() => incidentDraftOf(incident));
  const [first, setFirst] = useState<First>({ state: 'investigating', text: '' });
  const queries = useQueryClient();
  const stored = incident?.next_update_at ?? null;
  const save = useMutation<unknown, RequestFailed, number>({
    mutationFn: (now) => {
      const body = incidentBodyOf(draft, page, stored, now);
      return incident === null
        ? announceIncident(page.page_id, { ...body, ...first })
        : changeIncident(page.page_id, incident.incident_id, { ...body, started_at: incident.started_at });
    },
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['account'] });
      onClose();
    },
  });
  const change = (part: Partial<IncidentDraft>) => {
    save.reset();
    setDraft({ ...draft, ...part });
  };
  const refused = (name: string) => (save.error?.field === name ? failureText(save.error) : undefined);
  const toggle = (ids: readonly string[], on: boolean) =>
    change({ memberIds: [...draft.memberIds.filter((id) => !ids.includes(id)), ...(on ? ids : [])] });
  const isIncomplete = draft.title.trim() === '' || (incident === null && first.text.trim() === '');
  return (
    <ConfirmDialog
      open
      title={incident === null ? 'Announce an incident' : 'Edit incident'}
      confirm={incident === null ? 'Announce' : 'Save'}
      disabled={isIncomplete || save.isPending}
      onConfirm={() => save.mutate(Date.now())}
      onClose={onClose}
    >
      <span>Anyone with the link of the page reads this. Use plain words.</span>
      <LabelledInput
        label="Title"
        placeholder="Checkout fails for some customers"
        value={draft.title}
        problem={refused('title')}
        inputProps={{ maxLength: STATUS_PAGE_LIMITS.titleCharacters }}
        onChange={(event) => change({ title: event.target.value })}
      />
      <LabelledSelect
        label="Effect"
        value={draft.impact}
        options={IMPACT_OPTIONS}
        onChange={(impact) => change({ impact: impact as IncidentImpact })}
      />
      <Parts>
        <legend>Affected parts</legend>
        {partsOf(page).map(({ name, memberIds }) => (
          <Check
            key={memberIds.join()}
            checked={memberIds.some((id) => draft.memberIds.includes(id))}
            onChange={(on) => toggle(memberIds, on)}
          >
            {name}
          </Check>
        ))}
      </Parts>
      {incident === null && <FirstUpdate first={first} onFirst={setFirst} problem={refused('text')} />}
      <LabelledSelect
        label="Next update"
        value={draft.next}
        options={nextOptions(stored)}
        onChange={(next) => change({ next })}
      />
      {save.error !== null && <Notice tone="error">{failureText(save.error)}</Notice>}
    </ConfirmDialog>
  );
}
