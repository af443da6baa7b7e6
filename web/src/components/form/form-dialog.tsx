import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import type { ReactNode, SyntheticEvent } from 'react';
import { FieldStack } from './form-parts.tsx';

interface FormDialogProps {
  title: string;
  children: ReactNode;
  /** Label of the submitting button: a verb. */
  submit: string;
  busy?: boolean;
  /** There is nothing to cancel any more: one button only. */
  isDone?: boolean;
  onSubmit: () => void;
  onClose: () => void;
}

/** A form in a dialog. Esc closes it; a click beside it does not, because it would lose what was typed. */
export function FormDialog({ title, children, submit, busy = false, isDone = false, ...on }: FormDialogProps) {
  const id = useId();
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    on.onSubmit();
  };
  return (
    <Dialog
      open
      onClose={(_, reason) => reason === 'escapeKeyDown' && on.onClose()}
      aria-labelledby={id}
      fullWidth
      maxWidth="sm"
      transitionDuration={0}
    >
      <DialogTitle id={id} variant="h2" component="h2">
        {title}
      </DialogTitle>
      <form onSubmit={send} noValidate style={{ display: 'contents' }}>
        <DialogContent>
          <FieldStack>{children}</FieldStack>
        </DialogContent>
        <DialogActions>
          {!isDone && (
            <Button variant="outlined" onClick={on.onClose}>
              Cancel
            </Button>
          )}
          <Button variant="contained" type="submit" disabled={busy}>
            {busy ? 'Saving' : submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
