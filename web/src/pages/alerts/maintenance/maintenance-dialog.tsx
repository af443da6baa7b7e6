import type { MaintenanceOnWire } from '@plimsoll/contract/wire/checks/maintenance';
import { useState } from 'react';
import { checksQuery } from '../../../api/checks.ts';
import { failureText, fieldFailureText, type RequestFailed } from '../../../api/client.ts';
import { allClustersQuery } from '../../../api/kubernetes.ts';
import { saveMaintenance } from '../../../api/maintenance.ts';
import { useMutation, useQuery, useQueryClient } from '../../../api/query.ts';
import { allServersQuery } from '../../../api/servers.ts';
import { Failure } from '../../../components/feedback/feed-panel.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { RowsSkeleton } from '../../../components/feedback/skeletons.tsx';
import { FieldGroup } from '../../../components/form/form-parts.tsx';
import { FormDialog } from '../../../components/form/form-dialog.tsx';
import { NamePicks } from '../../../components/form/name-picks.tsx';
import { ServerPicks } from '../../../components/form/server-picks.tsx';
import { byName } from '../../../format/server-sort.ts';
import { useStored } from '../../../state/use-stored.ts';
import { chosenZone } from '../../../time/zone.ts';
import { browserZone, zoneToday } from '../../../time/zone-list.ts';
import {
  maintenanceDraftOf,
  maintenanceField,
  maintenanceProblems,
  maintenanceRequestOf,
  newMaintenance,
  type MaintenanceDraft,
} from './maintenance-draft.ts';
import { ScheduleFields, type FieldsProps } from './schedule-fields.tsx';

const byLabel = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name);

/** Fields for the servers, checks and clusters that the maintenance silences. */
function SubjectFields({ draft, problems, onChange }: FieldsProps) {
  // Every server, whatever the scope of the dashboard is.
  const listed = useQuery({ ...allServersQuery(), refetchInterval: false });
  const checks = useQuery({ ...checksQuery(), refetchInterval: false }).data?.checks ?? [];
  const clusters = useQuery({ ...allClustersQuery(), refetchInterval: false }).data?.clusters ?? [];
  return (
    <FieldGroup>
      <legend>Silences</legend>
      <Failure asked={listed} />
      {listed.isPending && <RowsSkeleton rows={4} height={40} />}
      {listed.data !== undefined && (
        <ServerPicks
          name="Servers of the maintenance"
          servers={listed.data.servers.toSorted(byName)}
          chosen={draft.serverIds}
          problem={problems.serverIds}
          onChange={(serverIds) => onChange({ serverIds })}
        />
      )}
      {checks.length > 0 && (
        <NamePicks
          title="Checks"
          name="Checks of the maintenance"
          options={checks.map(({ check_id: id, name }) => ({ id, name })).toSorted(byLabel)}
          chosen={draft.checkIds}
          problem={problems.checkIds}
          onChange={(checkIds) => onChange({ checkIds })}
        />
      )}
      {clusters.length > 0 && (
        <NamePicks
          title="Clusters"
          name="Clusters of the maintenance"
          options={clusters.map(({ cluster_id: id, name }) => ({ id, name: name ?? id.slice(0, 8) })).toSorted(byLabel)}
          chosen={draft.clusterIds}
          problem={problems.clusterIds}
          onChange={(clusterIds) => onChange({ clusterIds })}
        />
      )}
      <p>Checks of a chosen server and nodes of a chosen cluster are silenced with it.</p>
    </FieldGroup>
  );
}

interface MaintenanceDialogProps {
  /** Null creates one. */
  maintenance: MaintenanceOnWire | null;
  onClose: () => void;
}

/** The form of recurring maintenance: when it is, and what it silences. */
export function MaintenanceDialog({ maintenance, onClose }: MaintenanceDialogProps) {
  const [zone] = useStored(chosenZone);
  const here = zone === null ? browserZone() : zoneToday(zone);
  const [draft, setDraft] = useState(() =>
    maintenance === null ? newMaintenance(here) : maintenanceDraftOf(maintenance),
  );
  const [tried, setTried] = useState(false);
  const queries = useQueryClient();
  const save = useMutation<unknown, RequestFailed, MaintenanceDraft>({
    mutationFn: (saved) => saveMaintenance(maintenance?.maintenance_id ?? null, maintenanceRequestOf(saved)),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['alerts'] });
      onClose();
    },
  });
  const wrong = maintenanceProblems(draft);
  const isWrong = Object.keys(wrong).length > 0;
  const field = maintenanceField(save.error?.field ?? null);
  const refused = save.error === null || field === null ? {} : { [field]: fieldFailureText(save.error) };
  const fields = {
    draft,
    problems: { ...(tried && wrong), ...refused },
    onChange: (part: Partial<MaintenanceDraft>) => {
      save.reset();
      setDraft({ ...draft, ...part });
    },
  };
  return (
    <FormDialog
      title={maintenance === null ? 'Add recurring maintenance' : 'Edit recurring maintenance'}
      submit={maintenance === null ? 'Create' : 'Save'}
      busy={save.isPending}
      onSubmit={() => {
        setTried(true);
        if (!isWrong) save.mutate(draft);
      }}
      onClose={onClose}
    >
      {maintenance?.status === 'running' && <Notice tone="info">The running period ends as it was planned.</Notice>}
      <ScheduleFields {...fields} />
      <SubjectFields {...fields} />
      {save.error !== null && field === null && <Notice tone="error">{failureText(save.error)}</Notice>}
      {tried && isWrong && <Notice tone="error">Correct the marked fields. Nothing was saved.</Notice>}
    </FormDialog>
  );
}
