import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import { styled } from '@mui/material/styles';
import { AI_LIMITS } from '@plimsoll/contract/rules/ai-limits';
import type { ConversationEntry } from '@plimsoll/contract/wire/ai';
import { useState } from 'react';
import { conversationExport, conversationsQuery, deleteConversation, renameConversation } from '../../api/ai.ts';
import { failureText } from '../../api/client.ts';
import { useQuery, useQueryClient } from '../../api/query.ts';
import { EmptyState, ErrorState } from '../../components/feedback/states.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import {
  DeleteOutlined as DeleteIcon,
  EditOutlined as EditIcon,
  DownloadOutlined as DownloadIcon,
} from '../../components/icons/pages.tsx';

const List = styled('ul')({ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 2 });
const Row = styled('li')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 4,
  minHeight: 44,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > button:first-of-type': { flex: 1, minWidth: 0, justifyContent: 'flex-start', textAlign: 'left' },
}));

interface ConversationsProps {
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** Stored conversations: open, rename, export, delete. */
export function Conversations({ onOpen, onClose }: ConversationsProps) {
  const client = useQueryClient();
  const { data, error, isPending, refetch } = useQuery(conversationsQuery());
  const [renaming, setRenaming] = useState<ConversationEntry | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const change = async (work: Promise<unknown>) => {
    setFailure(null);
    await work.catch((problem: unknown) => setFailure(failureText(problem)));
    await client.invalidateQueries({ queryKey: ['ai', 'conversations'] });
  };
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="conversations-title">
      <DialogTitle id="conversations-title">Conversations</DialogTitle>
      <DialogContent>
        {failure !== null && <ErrorState message={failure} />}
        {error !== null && <ErrorState message={failureText(error)} onRetry={() => void refetch()} />}
        {isPending && <RowsSkeleton rows={3} height={44} />}
        {data?.total === 0 && <EmptyState sentence="No conversation is stored yet" />}
        <List>
          {(data?.conversations ?? []).map((entry) =>
            renaming?.id === entry.id ? (
              <Row key={entry.id}>
                <form
                  style={{ flex: 1, display: 'flex', gap: 8 }}
                  onSubmit={(event) => {
                    event.preventDefault();
                    setRenaming(null);
                    void change(renameConversation(entry.id, renaming.title));
                  }}
                >
                  <OutlinedInput
                    fullWidth
                    value={renaming.title}
                    onChange={(event) => setRenaming({ ...entry, title: event.target.value })}
                    inputProps={{ 'aria-label': 'Title', maxLength: 120 }}
                  />
                  <Button type="submit" variant="contained" disabled={renaming.title.trim() === ''}>
                    Save
                  </Button>
                </form>
              </Row>
            ) : (
              <Row key={entry.id}>
                <Button color="inherit" onClick={() => onOpen(entry.id)}>
                  {entry.title}
                </Button>
                <IconButton aria-label={`Rename ${entry.title}`} onClick={() => setRenaming(entry)}>
                  <EditIcon />
                </IconButton>
                <IconButton component="a" href={conversationExport(entry.id)} aria-label={`Export ${entry.title}`}>
                  <DownloadIcon />
                </IconButton>
                <IconButton
                  aria-label={`Delete ${entry.title}`}
                  onClick={() => void change(deleteConversation(entry.id))}
                >
                  <DeleteIcon />
                </IconButton>
              </Row>
            ),
          )}
        </List>
        <p>Conversations are yours alone. Each is removed {AI_LIMITS.conversationDays} days after its last message.</p>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
