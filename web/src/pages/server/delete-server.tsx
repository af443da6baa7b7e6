import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { useId, useState } from 'react';
import { useMutation, useQueryClient } from '../../api/query.ts';
import { deleteServer } from '../../api/servers.ts';
import { ErrorState } from '../../components/feedback/states.tsx';
import { serverName } from '../../format/server-facts.ts';
import { paths } from '../../paths.ts';
import { useNavigate } from '../../router.ts';
import { DeleteOutlined as DeleteIcon } from '../../components/icons/pages.tsx';

interface ConfirmProps {
  server: ServerDetail;
  onClose: () => void;
}

/** Deleting takes the history with it, so the name has to be typed. */
function Confirm({ server, onClose }: ConfirmProps) {
  const name = serverName(server);
  const [typed, setTyped] = useState('');
  const id = useId();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const deletion = useMutation({
    mutationFn: () => deleteServer(server.id),
    onSuccess: async () => {
      await navigate(paths.servers);
      await queries.invalidateQueries();
    },
  });
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} transitionDuration={0}>
      <DialogTitle id={id} variant="h2" component="h2">
        Delete {name}?
      </DialogTitle>
      <DialogContent>
        <p>
          This deletes all its figures, alerts and events immediately. You cannot undo it. The agent stops at its next
          report.
        </p>
        <p>
          Type <b>{name}</b> to confirm.
        </p>
        <OutlinedInput
          fullWidth
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          inputProps={{ 'aria-label': 'Name of the server' }}
        />
        {deletion.error !== null && <ErrorState message={deletion.error.message} />}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="contained"
          color="error"
          disabled={typed !== name || deletion.isPending}
          onClick={() => deletion.mutate()}
        >
          Delete server
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function DeleteServer({ server }: { server: ServerDetail }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="text" startIcon={<DeleteIcon />} onClick={() => setAsking(true)}>
        Delete
      </Button>
      {asking && <Confirm server={server} onClose={() => setAsking(false)} />}
    </>
  );
}
