import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import type { ReactNode } from 'react';
import { useCopied } from './use-copied.ts';
import { ContentCopyOutlined as ContentCopyIcon } from '../icons/first-load.tsx';
import { CheckOutlined as CheckIcon } from '../icons/pages.tsx';

interface CopyButtonProps {
  /** A function makes the text when it is copied: a secret that nobody copies need not exist. */
  text: string | (() => Promise<string>);
  /** Text of the button at rest; without it only the icon shows and `name` is its name. */
  label?: string;
  name?: string;
  /** Two copy buttons side by side must look different. */
  icon?: ReactNode;
  copied?: string;
  variant?: 'contained' | 'outlined';
  disabled?: boolean;
  onCopy?: () => void;
}

/** Copies, says so for two seconds, and says what to do when the browser refuses. */
export function CopyButton({
  text,
  label,
  name = 'Copy',
  icon: atRest = <ContentCopyIcon aria-hidden />,
  copied = 'Copied',
  variant = 'outlined',
  disabled = false,
  onCopy,
}: CopyButtonProps) {
  const { state, copy } = useCopied();
  const press = () => {
    copy(typeof text === 'string' ? text : text());
    onCopy?.();
  };
  const says = { idle: label ?? name, copied, failed: 'Select and copy' }[state];
  const icon = state === 'copied' ? <CheckIcon aria-hidden /> : atRest;
  if (label === undefined) {
    return (
      <IconButton onClick={press} disabled={disabled} aria-label={says} title={says}>
        {icon}
      </IconButton>
    );
  }
  return (
    <Button
      variant={variant}
      startIcon={icon}
      onClick={press}
      disabled={disabled}
      sx={{ whiteSpace: 'nowrap', flex: 'none' }}
    >
      <span aria-live="polite">{says}</span>
    </Button>
  );
}
