import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import OutlinedInput from '@mui/material/OutlinedInput';
import { CLUSTER_NAME_LENGTH } from '@plimsoll/contract/rules/kubernetes-limits';
import type { Cluster } from '@plimsoll/contract/wire/kubernetes';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { removeCluster, renameCluster } from '../../api/kubernetes.ts';
import { useMutation, useQueryClient } from '../../api/query.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { plural } from '../../format/figures.ts';
import { useSearchParams } from '../../router.ts';
import { ErrorState } from '../../components/feedback/states.tsx';
import { shortId } from '../../components/kubernetes/kubernetes-words.ts';

type Named = Pick<Cluster, 'cluster_id' | 'name' | 'nodes' | 'pods'>;
const nameOf = ({ name, cluster_id: id }: Named): string => escapeInvisible(name ?? shortId(id));

interface FrameProps {
  title: string;
  children: ReactNode;
  error: Error | null;
  confirm: ReactNode;
  onClose: () => void;
}

function Frame({ title, children, error, confirm, onClose }: FrameProps) {
  const id = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} transitionDuration={0} maxWidth="xs" fullWidth>
      <DialogTitle id={id} variant="h2" component="h2">
        {title}
      </DialogTitle>
      <DialogContent>
        {children}
        {error !== null && <ErrorState message={error.message} />}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          Cancel
        </Button>
        {confirm}
      </DialogActions>
    </Dialog>
  );
}

interface DialogProps {
  cluster: Named;
  onClose: () => void;
}

function Rename({ cluster, onClose }: DialogProps) {
  const [typed, setTyped] = useState(cluster.name ?? '');
  const queries = useQueryClient();
  const renaming = useMutation({
    mutationFn: (name: string | null) => renameCluster(cluster.cluster_id, name),
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries();
    },
  });
  return (
    <Frame
      title={`Rename ${nameOf(cluster)}`}
      error={renaming.error}
      onClose={onClose}
      confirm={
        <>
          <Button variant="outlined" disabled={renaming.isPending} onClick={() => renaming.mutate(null)}>
            Use the reported name
          </Button>
          <Button
            variant="contained"
            disabled={typed.trim() === '' || renaming.isPending}
            onClick={() => renaming.mutate(typed)}
          >
            Rename
          </Button>
        </>
      }
    >
      <p>Every screen, alert and message shows this name. The collector keeps its own.</p>
      <OutlinedInput
        fullWidth
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        inputProps={{ 'aria-label': 'New name of the cluster', maxLength: CLUSTER_NAME_LENGTH }}
      />
    </Frame>
  );
}

/** Removing takes the history with it, so the name has to be typed. */
function Remove({ cluster, onClose }: DialogProps) {
  const name = cluster.name ?? cluster.cluster_id;
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useSearchParams();
  const queries = useQueryClient();
  const removal = useMutation({
    mutationFn: () => removeCluster(cluster.cluster_id),
    onSuccess: async () => {
      onClose();
      // The address names no cluster that is gone.
      if (search.get('cluster') === cluster.cluster_id)
        setSearch((before) => {
          const next = new URLSearchParams(before);
          next.delete('cluster');
          return next;
        });
      await queries.invalidateQueries();
    },
  });
  return (
    <Frame
      title={`Remove ${nameOf(cluster)}?`}
      error={removal.error}
      onClose={onClose}
      confirm={
        <Button
          variant="contained"
          color="error"
          disabled={typed !== name || removal.isPending}
          onClick={() => removal.mutate()}
        >
          Remove cluster
        </Button>
      }
    >
      <p>
        This deletes its {plural(cluster.nodes, 'node')}, {plural(cluster.pods, 'pod')}, figures, alerts and tokens
        immediately. You cannot undo it. No channel sends &quot;Resolved&quot; for its open alerts. Its collectors are
        refused from then on: uninstall the chart there.
      </p>
      <p>
        Type <b>{escapeInvisible(name)}</b> to confirm.
      </p>
      <OutlinedInput
        fullWidth
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        inputProps={{ 'aria-label': 'Name of the cluster' }}
      />
    </Frame>
  );
}

/** Buttons that rename and remove a cluster; only an admin gets them. */
export function ManageCluster({ cluster }: { cluster: Named }) {
  const [asking, setAsking] = useState<'rename' | 'remove' | null>(null);
  const close = () => setAsking(null);
  const name = nameOf(cluster);
  return (
    <>
      <Button size="small" variant="text" aria-label={`Rename ${name}`} onClick={() => setAsking('rename')}>
        Rename
      </Button>
      <Button size="small" variant="text" aria-label={`Remove ${name}`} onClick={() => setAsking('remove')}>
        Remove
      </Button>
      {asking === 'rename' && <Rename cluster={cluster} onClose={close} />}
      {asking === 'remove' && <Remove cluster={cluster} onClose={close} />}
    </>
  );
}
