import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

const Frame = styled(Paper)({ overflow: 'hidden', minWidth: 0 }) as typeof Paper;
const Head = styled('header')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  minHeight: 44,
  padding: '0 16px',
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}));
const Title = styled('h2')(({ theme }) => ({ ...theme.typography.h2, margin: 0, whiteSpace: 'nowrap' }));
const Note = styled('span')(({ theme }) => ({
  ...theme.typography.caption,
  color: theme.vars.palette.load.text3,
  minWidth: 0,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  // What does not fit a phone is told in a second line: nothing there is hovered to read the rest.
  [theme.breakpoints.down('sm')]: { whiteSpace: 'normal', padding: '6px 0' },
}));
const Actions = styled('div')({
  marginLeft: 'auto',
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  fontSize: 12,
  textAlign: 'right',
});

interface PanelProps {
  title?: ReactNode;
  /** Beside the title: a count, what the figures are. */
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  id?: string;
  className?: string;
}

/** A bordered surface with hairlines inside. */
export function Panel({ title, note, actions, children, ...frame }: PanelProps) {
  return (
    <Frame component="section" {...frame}>
      {title !== undefined && (
        <Head>
          <Title>{title}</Title>
          {note !== undefined && <Note>{note}</Note>}
          {actions !== undefined && <Actions>{actions}</Actions>}
        </Head>
      )}
      {children}
    </Frame>
  );
}

/** A stack of hairlined rows inside a panel. */
export const Rows = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  '& > li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
}));

export const PanelBody = styled('div')({ padding: 16 });
