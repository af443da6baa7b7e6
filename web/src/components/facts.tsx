import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

const List = styled('dl')(({ theme }) => ({
  margin: 0,
  padding: '4px 16px',
  '& > div': { display: 'flex', justifyContent: 'space-between', gap: 16, padding: '6px 0' },
  '& > div + div': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& dt': { color: theme.vars.palette.text.secondary, flex: 'none' },
  '& dd': { margin: 0, textAlign: 'right', minWidth: 0, overflowWrap: 'anywhere' },
}));

/** Names and values, one to a line; a null value is not available. */
export function Facts({ facts }: { facts: readonly { name: string; value: ReactNode }[] }) {
  return (
    <List>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? 'N/A'}</dd>
        </div>
      ))}
    </List>
  );
}
