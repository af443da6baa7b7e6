import Button from '@mui/material/Button';
import type { MaintenanceOnWire } from '@plimsoll/contract/wire/checks/maintenance';
import { useState } from 'react';
import { failureText, type RequestFailed } from '../../../api/client.ts';
import { endMaintenance, maintenanceQuery } from '../../../api/maintenance.ts';
import { useMutation, useQuery, useQueryClient } from '../../../api/query.ts';
import { Chip } from '../../../components/chips.tsx';
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx';
import { FeedPanel } from '../../../components/feedback/feed-panel.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { ButtonRow, Quiet } from '../../../components/form/form-parts.tsx';
import { Add as AddIcon } from '../../../components/icons/pages.tsx';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { plural } from '../../../format/figures.ts';
import { momentMs } from '../../../time/age.ts';
import { dayAndTime, zoneName } from '../../../time/zone.ts';
import { SilenceLine } from '../silences/silence-row.tsx';
import { MaintenanceDialog } from './maintenance-dialog.tsx';

const STATUS = { running: 'Running', planned: 'Planned', ended: 'Ended' } as const;

/** "3 servers, 1 check". */
function subjectWords({ server_ids: servers, check_ids: checks, cluster_ids: clusters }: MaintenanceOnWire): string {
  const parts = [
    servers.length > 0 && plural(servers.length, 'server'),
    checks.length > 0 && plural(checks.length, 'check'),
    clusters.length > 0 && plural(clusters.length, 'cluster'),
  ];
  return parts.filter((part) => part !== false).join(', ');
}

/** "next 7 Mar 02:00 UTC, 14 Mar 02:00 UTC", or until when it runs. */
function periodWords({ periods, status, last_day: lastDay }: MaintenanceOnWire): string {
  if (status === 'ended') return `ended on ${lastDay ?? ''}`;
  const words = (at: string): string => {
    const ms = momentMs(at) ?? 0;
    return `${dayAndTime(ms)} ${zoneName(ms)}`;
  };
  const [first, ...others] = periods;
  if (first === undefined) return 'next one is more than 31 days ahead';
  if (status === 'planned') return `next ${periods.map(({ starts_at: at }) => words(at)).join(', ')}`;
  const then = others[0] === undefined ? '' : `, then ${words(others[0].starts_at)}`;
  return `until ${words(first.ends_at)}${then}`;
}

interface RowProps {
  maintenance: MaintenanceOnWire;
  mayEdit: boolean;
  onEdit: () => void;
  onEnd: () => void;
}

function MaintenanceRow({ maintenance, mayEdit, onEdit, onEnd }: RowProps) {
  const name = escapeInvisible(maintenance.name);
  return (
    <SilenceLine aria-label={name} data-over={maintenance.status === 'ended' ? '' : undefined}>
      <div>
        <b>{name}</b>
        <Chip>{STATUS[maintenance.status]}</Chip> <span>{subjectWords(maintenance)}</span>
        <br />
        <Quiet>
          {escapeInvisible(maintenance.text)}; {periodWords(maintenance)}
        </Quiet>
      </div>
      {mayEdit && (
        <ButtonRow>
          <Button variant="outlined" aria-label={`Edit the maintenance ${name}`} onClick={onEdit}>
            Edit
          </Button>
          <Button variant="outlined" aria-label={`End the maintenance ${name}`} onClick={onEnd}>
            End
          </Button>
        </ButtonRow>
      )}
    </SilenceLine>
  );
}

function EndDialog({ maintenance, onClose }: { maintenance: MaintenanceOnWire; onClose: () => void }) {
  const queries = useQueryClient();
  const end = useMutation<unknown, RequestFailed>({
    mutationFn: () => endMaintenance(maintenance.maintenance_id),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['alerts'] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      title={`End ${escapeInvisible(maintenance.name)}?`}
      confirm="End it"
      disabled={end.isPending}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      <span>It does not start again. Alerts that still fire are sent.</span>
      {end.error !== null && <Notice tone="error">{failureText(end.error)}</Notice>}
    </ConfirmDialog>
  );
}

/** Recurring maintenance of the organisation: when it is, and what it silences. */
export function MaintenancePanel({ mayEdit }: { mayEdit: boolean }) {
  const asked = useQuery(maintenanceQuery());
  /** The one in the dialog; `new` creates one. */
  const [edited, setEdited] = useState<MaintenanceOnWire | 'new' | null>(null);
  const [ended, setEnded] = useState<MaintenanceOnWire | null>(null);
  const maintenance = asked.data?.maintenance ?? [];
  const add = mayEdit && (
    <Button variant="outlined" startIcon={<AddIcon />} onClick={() => setEdited('new')}>
      Add maintenance
    </Button>
  );
  return (
    <>
      <FeedPanel
        title="Recurring maintenance"
        note={asked.data?.total}
        actions={maintenance.length > 0 && add}
        asked={asked}
        rows={1}
        empty={{
          sentence: 'No recurring maintenance',
          reason: 'It silences servers, checks and clusters each week or month, and public status pages announce it.',
          action: add,
        }}
      >
        {maintenance.map((one) => (
          <MaintenanceRow
            key={one.maintenance_id}
            maintenance={one}
            mayEdit={mayEdit}
            onEdit={() => setEdited(one)}
            onEnd={() => setEnded(one)}
          />
        ))}
      </FeedPanel>
      {edited !== null && (
        <MaintenanceDialog maintenance={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      {ended !== null && <EndDialog maintenance={ended} onClose={() => setEnded(null)} />}
    </>
  );
}
