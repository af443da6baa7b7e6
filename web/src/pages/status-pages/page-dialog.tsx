import { styled } from '@mui/material/styles';
import { STATUS_PAGE_LIMITS } from '@plimsoll/contract/rules/checks/status-page-limits';
import type { StatusPageOnWire } from '@plimsoll/contract/wire/checks/status-pages';
import { useState } from 'react';
import { checksQuery } from '../../api/checks.ts';
import { failureText, type RequestFailed } from '../../api/client.ts';
import { useMutation, useQuery, useQueryClient } from '../../api/query.ts';
import { allServersQuery } from '../../api/servers.ts';
import { saveStatusPage, type StatusPageBody } from '../../api/status-pages.ts';
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { Check } from '../../components/form/check.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../components/form/labelled-select.tsx';
import { momentMs } from '../../time/age.ts';
import { dayAndTime, zoneName } from '../../time/zone.ts';

import { bodyOf, draftOf, EMPTY_PAGE, KEEP, type PageDraft } from './page-draft.ts';
import { CheckChoice, ServerChoice } from './part-choices.tsx';

const Hint = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: 0,
  color: theme.vars.palette.load.text3,
}));

const ENDS = [
  { value: '', label: 'Never' },
  { value: '1', label: 'In 1 day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
];

function endsOf(page: StatusPageOnWire | null) {
  const end = momentMs(page?.expires_at ?? null);
  if (end === null || page?.status === 'expired') return ENDS;
  return [{ value: KEEP, label: `On ${dayAndTime(end)} ${zoneName(end)}` }, ...ENDS];
}

const SWITCHES = [
  ['isPublished', 'Published: anyone with the link can read it'],
  ['showsNames', 'Show the names of the servers'],
  ['showsFigures', 'Show CPU, memory and disk in per cent'],
  ['showsMaintenance', 'Announce planned silences of whole servers as maintenance'],
  ['isIndexable', 'Let search engines list it'],
] as const;

interface PageDialogProps {
  /** Null creates one. */
  page: StatusPageOnWire | null;
  onClose: () => void;
}

/** The form of a status page: its words, its servers and checks, and what it shows of them. */
export function PageDialog({ page, onClose }: PageDialogProps) {
  const [draft, setDraft] = useState<PageDraft>(() => (page === null ? EMPTY_PAGE : draftOf(page)));
  // Every server, whatever the scope of the dashboard is.
  const listed = useQuery({ ...allServersQuery(), refetchInterval: false });
  const checks = useQuery({ ...checksQuery(), refetchInterval: false });
  const queries = useQueryClient();
  const save = useMutation<unknown, RequestFailed, StatusPageBody>({
    mutationFn: (body) => saveStatusPage(page?.page_id ?? null, body),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['account'] });
      onClose();
    },
  });
  const change = (part: Partial<PageDraft>) => {
    save.reset();
    setDraft({ ...draft, ...part });
  };
  const refused = (name: string) => (save.error?.field === name ? failureText(save.error) : undefined);
  const isIncomplete = draft.title.trim() === '' || draft.serverIds.length + draft.checkIds.length === 0;
  return (
    <ConfirmDialog
      open
      title={page === null ? 'New status page' : 'Edit status page'}
      confirm={page === null ? 'Create' : 'Save'}
      disabled={isIncomplete || save.isPending}
      onConfirm={() => save.mutate(bodyOf(draft, page?.expires_at ?? null, Date.now()))}
      onClose={onClose}
    >
      <LabelledInput
        label="Title"
        value={draft.title}
        problem={refused('title')}
        inputProps={{ maxLength: STATUS_PAGE_LIMITS.titleCharacters }}
        onChange={(event) => change({ title: event.target.value })}
      />
      <LabelledInput
        label="Message (optional)"
        multiline
        maxRows={4}
        value={draft.message}
        problem={refused('message')}
        inputProps={{ maxLength: STATUS_PAGE_LIMITS.messageCharacters }}
        onChange={(event) => change({ message: event.target.value })}
      />
      <Failure asked={listed} />
      {listed.isPending && <RowsSkeleton rows={4} height={40} />}
      {listed.data !== undefined && (
        <ServerChoice servers={listed.data.servers} draft={draft} problem={refused('servers')} onChange={change} />
      )}
      <Failure asked={checks} />
      {checks.data !== undefined && checks.data.total > 0 && (
        <CheckChoice checks={checks.data.checks} draft={draft} problem={refused('checks')} onChange={change} />
      )}
      <Hint>Servers and checks with the same public name in one group are one part of the page.</Hint>
      <div>
        {SWITCHES.map(([name, words]) => (
          <div key={name}>
            <Check checked={draft[name]} onChange={(on) => change({ [name]: on })}>
              {words}
            </Check>
          </div>
        ))}
      </div>
      <LabelledSelect
        label="The link ends"
        value={draft.ends}
        options={endsOf(page)}
        problem={refused('expires_at')}
        onChange={(ends) => change({ ends })}
      />
      {isIncomplete && <span>Give it a title and choose at least one server or check.</span>}
      {save.error !== null && <Notice tone="error">{failureText(save.error)}</Notice>}
    </ConfirmDialog>
  );
}
