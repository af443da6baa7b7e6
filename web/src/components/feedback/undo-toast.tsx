import Button from '@mui/material/Button';
import Snackbar from '@mui/material/Snackbar';
import { styled } from '@mui/material/styles';
import { UI } from '../../api/polling.ts';

const Box = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  padding: '6px 8px 6px 16px',
  borderRadius: 8,
  border: `1px solid ${theme.vars.palette.load.edge}`,
  backgroundColor: theme.vars.palette.action.selected,
  color: theme.vars.palette.text.primary,
  boxShadow: '0 8px 24px #0006',
}));

interface UndoToastProps {
  /** The finished action; null shows nothing. */
  text: string | null;
  /** Null: it cannot be undone. */
  onUndo: (() => void) | null;
  onClose: () => void;
}

/** Says what was just done, with the way back. It stays while the pointer or the keyboard is on it. */
export function UndoToast({ text, onUndo, onClose }: UndoToastProps) {
  return (
    <Snackbar
      key={text}
      open={text !== null}
      autoHideDuration={UI.undoToast}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'center' }}
      onClose={(_, reason) => reason !== 'clickaway' && onClose()}
      transitionDuration={0}
    >
      <Box role="status">
        <span>{text}</span>
        {onUndo !== null && (
          <Button variant="text" sx={{ color: 'info.main' }} onClick={onUndo}>
            Undo
          </Button>
        )}
      </Box>
    </Snackbar>
  );
}
