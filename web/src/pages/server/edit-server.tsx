import { escapeInvisible } from '../../format/escape-invisible.ts';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { useId, useState } from 'react';
import { useMutation, useQueryClient } from '../../api/query.ts';
import { updateServer } from '../../api/servers.ts';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { ErrorState } from '../../components/feedback/states.tsx';
import { readTags, tagsText } from '../../format/tags-text.ts';
import { EditOutlined as EditIcon } from '../../components/icons/pages.tsx';

const NAME_CHARACTERS = 120;

interface FormProps {
  server: ServerDetail;
  onClose: () => void;
}

function EditForm({ server, onClose }: FormProps) {
  const [name, setName] = useState(server.display_name ?? '');
  const [tags, setTags] = useState(tagsText(server.tags));
  const id = useId();
  const queries = useQueryClient();
  const read = readTags(tags);
  const change = useMutation({
    mutationFn: () =>
      updateServer(server.id, {
        display_name: name.trim() === '' ? null : name.trim(),
        ...('tags' in read ? { tags: read.tags } : {}),
      }),
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries({ queryKey: ['servers'] });
    },
  });
  const problem = 'problem' in read ? read.problem : (change.error?.message ?? null);
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="xs" transitionDuration={0}>
      <DialogTitle id={id} variant="h2" component="h2">
        Name and tags
      </DialogTitle>
      <DialogContent>
        <LabelledInput
          label="Display name"
          value={name}
          placeholder={escapeInvisible(server.hostname)}
          onChange={(event) => setName(event.target.value)}
          inputProps={{ maxLength: NAME_CHARACTERS }}
        />
        <LabelledInput
          label="Tags, such as ci, team=web"
          value={tags}
          onChange={(event) => setTags(event.target.value)}
        />
        {problem !== null && <ErrorState message={problem} />}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="contained" disabled={'problem' in read || change.isPending} onClick={() => change.mutate()}>
          Save
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function EditServer({ server }: { server: ServerDetail }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="text" startIcon={<EditIcon />} onClick={() => setOpen(true)}>
        Edit
      </Button>
      {open && <EditForm server={server} onClose={() => setOpen(false)} />}
    </>
  );
}
