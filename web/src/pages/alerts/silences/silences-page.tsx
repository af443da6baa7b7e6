import Button from '@mui/material/Button';
import type { SilenceOnWire } from '@plimsoll/contract/wire/alerts/alert-silences';
import { useState } from 'react';
import { endSilence, saveSilence, silencesQuery } from '../../../api/alert-acting.ts';
import { failureText } from '../../../api/client.ts';
import { useQuery } from '../../../api/query.ts';
import { useMayEdit } from '../../../api/user.ts';
import { ExportButton } from '../../../components/export/export-button.tsx';
import { fieldsTable } from '../../../components/export/export-file.ts';
import { awaitedWords, FeedPanel } from '../../../components/feedback/feed-panel.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { UndoToast } from '../../../components/feedback/undo-toast.tsx';
import { Page } from '../../../components/page.tsx';
import { useFreshness } from '../../../state/use-freshness.ts';
import { AlertsNav } from '../alerts-nav.tsx';
import { useUndoable, type Undoable } from '../../../components/feedback/use-undoable.ts';
import { MaintenancePanel } from '../maintenance/maintenance-panel.tsx';
import { storedMatcher } from './matcher-fields.tsx';
import { SilenceDialog } from './silence-dialog.tsx';
import { SilenceRow } from './silence-row.tsx';
import { Add as AddIcon } from '../../../components/icons/pages.tsx';

/** Ends a silence; the way back creates it once more. */
async function end(silence: SilenceOnWire): Promise<Undoable> {
  const { silence_id: id, status, starts_at: startsAt, ends_at: endsAt, comment } = silence;
  await endSilence(id);
  const start = status === 'pending' ? { starts_at: startsAt } : {};
  return {
    text: status === 'active' ? 'Silence ended. Alerts that still fire are sent.' : 'Silence deleted',
    undo: () => saveSilence(null, { ...storedMatcher(silence), ...start, ends_at: endsAt, comment }),
  };
}

const EXPORTED = [
  'silence_id',
  'status',
  'text',
  'hostname',
  'tag_key',
  'tag_value',
  'metric',
  'rule_id',
  'subject',
  'cluster_id',
  'namespace',
  'starts_at',
  'ends_at',
  'comment',
  'created_by',
] as const;

/** The silences of the account: their matchers, ends and authors. */
export function Component() {
  const asked = useQuery(silencesQuery());
  const mayEdit = useMayEdit();
  /** The silence in the dialog; `new` creates one. */
  const [edited, setEdited] = useState<SilenceOnWire | 'new' | null>(null);
  const { run, busy, error, toast } = useUndoable([['alerts']]);
  useFreshness('updated', asked.dataUpdatedAt || null);
  const silences = asked.data?.silences ?? [];
  const active = silences.filter(({ status }) => status === 'active').length;
  const add = mayEdit && (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setEdited('new')}>
      Add silence
    </Button>
  );
  return (
    <Page
      title="Silences"
      sentence={
        asked.data === undefined
          ? awaitedWords(asked, 'silences')
          : `${active} active. Silenced alerts are listed, not sent.`
      }
      actions={<AlertsNav current="silences" />}
    >
      {error !== null && <Notice tone="error">{failureText(error)}</Notice>}
      <FeedPanel
        title="Silences"
        note={asked.data?.total}
        actions={
          silences.length > 0 && (
            <>
              <ExportButton holds={['silences']} table={() => fieldsTable(silences, EXPORTED)} />
              {add}
            </>
          )
        }
        asked={asked}
        rows={3}
        empty={{
          sentence: 'No silences',
          reason: 'A silence holds messages back until its end, for example during a deploy.',
          action: add,
        }}
      >
        {silences.map((silence) => (
          <SilenceRow
            key={silence.silence_id}
            silence={silence}
            mayEdit={mayEdit}
            busy={busy}
            onEdit={() => setEdited(silence)}
            onEnd={() => run(() => end(silence))}
          />
        ))}
      </FeedPanel>
      <MaintenancePanel mayEdit={mayEdit} />
      {edited !== null && <SilenceDialog silence={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      <UndoToast {...toast} />
    </Page>
  );
}
