import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import type { ReactNode } from 'react';

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  children: ReactNode;
  /** Label of the confirming button: a verb. */
  confirm: string;
  danger?: boolean;
  disabled?: boolean;
  /** There is nothing to cancel any more: one button only. */
  isDone?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be taken back. The way out is named first and is what Esc does. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const id = useId();
  return (
    <Dialog open={props.open} onClose={props.onClose} aria-labelledby={id} maxWidth="xs" fullWidth>
      <DialogTitle id={id} sx={{ typography: 'h2', fontSize: 16 }}>
        {props.title}
      </DialogTitle>
      <DialogContent sx={{ color: 'text.secondary', display: 'grid', gap: 1.5 }}>{props.children}</DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        {!props.isDone && (
          <Button variant="outlined" onClick={props.onClose}>
            Cancel
          </Button>
        )}
        <Button
          variant="contained"
          color={props.danger ? 'error' : 'primary'}
          disabled={props.disabled ?? false}
          onClick={props.onConfirm}
        >
          {props.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
