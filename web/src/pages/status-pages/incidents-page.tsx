import Button from '@mui/material/Button';
import type { StatusIncidentOnWire } from '@plimsoll/contract/wire/checks/status-incidents';
import type { StatusPageOnWire } from '@plimsoll/contract/wire/checks/status-pages';
import { useState } from 'react';
import { failureText, type RequestFailed } from '../../api/client.ts';
import { useMutation, useQuery, useQueryClient } from '../../api/query.ts';
import { deleteIncident, statusIncidentsQuery, statusPagesQuery } from '../../api/status-pages.ts';
import { useMayEdit } from '../../api/user.ts';
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx';
import { awaitedWords, FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Add as AddIcon } from '../../components/icons/pages.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link, useParams } from '../../router.ts';
import { IncidentDialog } from './incident-dialog.tsx';
import { partsOf } from './incident-draft.ts';
import { IncidentRow } from './incident-row.tsx';
import { UpdateDialog } from './update-dialog.tsx';

/** The form that is open. */
type Form =
  | { kind: 'incident'; incident: StatusIncidentOnWire | null }
  | { kind: 'update'; incident: StatusIncidentOnWire; update: StatusIncidentOnWire['updates'][number] | null }
  | { kind: 'delete'; incident: StatusIncidentOnWire };

const openWords = (incidents: readonly StatusIncidentOnWire[]): string => {
  const count = incidents.filter(({ resolved_at: at }) => at === null).length;
  return count === 0 ? 'No incident is open.' : `${count} open. Readers of the page see every word of it.`;
};

const affectedNames = (
  page: StatusPageOnWire | undefined,
  { server_ids: servers, check_ids: checks }: StatusIncidentOnWire,
): string[] =>
  page === undefined
    ? []
    : partsOf(page)
        .filter(({ memberIds }) => memberIds.some((id) => servers.includes(id) || checks.includes(id)))
        .map(({ name }) => name);

function Forms({ page, form, onClose }: { page: StatusPageOnWire; form: Form | null; onClose: () => void }) {
  if (form?.kind === 'incident') return <IncidentDialog page={page} incident={form.incident} onClose={onClose} />;
  if (form?.kind === 'update')
    return <UpdateDialog pageId={page.page_id} incident={form.incident} update={form.update} onClose={onClose} />;
  return null;
}

/** The incidents of a status page, for those who write them. */
export function Component() {
  const { pageId = '' } = useParams();
  const asked = useQuery(statusIncidentsQuery(pageId));
  const page = useQuery(statusPagesQuery()).data?.status_pages.find(({ page_id: id }) => id === pageId);
  const mayEdit = useMayEdit();
  const queries = useQueryClient();
  const [form, setForm] = useState<Form | null>(null);
  const remove = useMutation<unknown, RequestFailed, string>({
    mutationFn: (id) => deleteIncident(pageId, id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['account'] }),
  });
  const incidents = asked.data?.incidents ?? [];
  const add = mayEdit && page !== undefined && (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setForm({ kind: 'incident', incident: null })}>
      Announce incident
    </Button>
  );
  const ended = form?.kind === 'delete' ? form.incident : null;
  const confirm = () => {
    if (ended !== null) remove.mutate(ended.incident_id);
    setForm(null);
  };
  return (
    <Page
      title={page === undefined ? 'Incidents' : `Incidents on ${escapeInvisible(page.title)}`}
      tab="Incidents"
      sentence={asked.data === undefined ? awaitedWords(asked, 'incidents') : openWords(incidents)}
      actions={
        <Button component={Link} to={paths.statusPages} variant="outlined">
          Status pages
        </Button>
      }
    >
      {remove.error !== null && <Notice tone="error">{failureText(remove.error)}</Notice>}
      <FeedPanel
        title="Incidents"
        note={asked.data?.total}
        actions={incidents.length > 0 && add}
        asked={asked}
        rows={3}
        empty={{
          sentence: 'No incidents',
          reason: mayEdit
            ? 'An incident shows the readers of the page what does not work and when the next update comes.'
            : 'An editor announces incidents to the readers of the page.',
          action: add,
        }}
      >
        {incidents.map((incident) => (
          <IncidentRow
            key={incident.incident_id}
            incident={incident}
            affects={affectedNames(page, incident)}
            mayEdit={mayEdit}
            busy={remove.isPending}
            onUpdate={() => setForm({ kind: 'update', incident, update: null })}
            onCorrect={(update) => setForm({ kind: 'update', incident, update })}
            onEdit={() => setForm({ kind: 'incident', incident })}
            onDelete={() => setForm({ kind: 'delete', incident })}
          />
        ))}
      </FeedPanel>
      {page !== undefined && <Forms page={page} form={form} onClose={() => setForm(null)} />}
      <ConfirmDialog
        open={ended !== null}
        title={`Delete ${ended === null ? '' : escapeInvisible(ended.title)}?`}
        confirm="Delete"
        danger
        onConfirm={confirm}
        onClose={() => setForm(null)}
      >
        <span>It leaves the page and its feed with all updates. You cannot undo this.</span>
      </ConfirmDialog>
    </Page>
  );
}
