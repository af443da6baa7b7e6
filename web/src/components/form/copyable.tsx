import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';

const Box = styled('span')({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 4,
  minWidth: 0,
  // The line is as high as without the button.
  '& > button': { margin: '-8px -8px -8px 0' },
});

interface CopyableProps {
  /** The copied text: all of it, also where less is shown. */
  text: string;
  /** "Copy host name". */
  name: string;
  children: ReactNode;
}

/** A value with a button that copies it. */
export const Copyable = ({ text, name, children }: CopyableProps) => (
  <Box>
    {children}
    <CopyButton text={text} name={name} />
  </Box>
);
