import ButtonBase from '@mui/material/ButtonBase';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { PHONE, TARGET_PX, TOUCH } from './screen.ts';
import { ExpandMore as ExpandMoreIcon } from './icons/material.tsx';

const Frame = styled(Paper)({ overflow: 'hidden', minWidth: 0 }) as typeof Paper;
const Head = styled('header')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  minHeight: 44,
  padding: '0 16px',
  '&:not(:last-child)': { borderBottom: `1px solid ${theme.vars.palette.divider}` },
  [theme.breakpoints.down('sm')]: { paddingBlock: 4 },
}));
const Title = styled('h2')(({ theme }) => ({
  ...theme.typography.h2,
  margin: 0,
  whiteSpace: 'nowrap',
  '&[data-fold]': { flex: 1, minWidth: 0 },
}));
const Note = styled('span')(({ theme }) => ({
  ...theme.typography.caption,
  color: theme.vars.palette.load.text3,
  minWidth: 0,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  // A second line holds what a phone has no room for, because nothing can be hovered there.
  [theme.breakpoints.down('sm')]: { whiteSpace: 'normal', padding: '6px 0', minWidth: 'min-content' },
}));
const Actions = styled('div')({
  marginLeft: 'auto',
  display: 'flex',
  // A phone has no room for four buttons beside a title.
  flexWrap: 'wrap',
  justifyContent: 'flex-end',
  alignItems: 'center',
  gap: '4px 8px',
  fontSize: 12,
  textAlign: 'right',
  [TOUCH]: { '& > a': { display: 'inline-flex', alignItems: 'center', minHeight: TARGET_PX } },
});
const Fold = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.h2,
  width: '100%',
  minHeight: 48,
  justifyContent: 'flex-start',
  gap: 8,
  textAlign: 'left',
  '& > svg': { flex: 'none', marginLeft: 'auto', color: theme.vars.palette.text.secondary },
  '&[aria-expanded="true"] > svg': { transform: 'rotate(180deg)' },
  '& > span': { flex: 'none' },
  '& > small': {
    ...theme.typography.caption,
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: theme.vars.palette.load.text3,
  },
  '&:focus-visible': { outlineOffset: -2 },
}));

interface PanelProps {
  title?: ReactNode;
  /** Beside the title: a count, what the figures are. */
  note?: ReactNode;
  actions?: ReactNode;
  /** On a phone the panel is folded to its title and this line. Left out: it is always open. */
  fold?: ReactNode;
  children: ReactNode;
  id?: string;
  className?: string;
}

/** A panel that is closed until someone opens it: a phone shows what is in it in one line. */
function FoldedPanel({ title, note, actions, fold, children, ...frame }: PanelProps) {
  const [open, setOpen] = useState(false);
  const body = useId();
  return (
    <Frame component="section" {...frame}>
      <Head>
        <Title data-fold="">
          <Fold aria-expanded={open} aria-controls={body} onClick={() => setOpen(!open)}>
            <span>{title}</span>
            <small>{open ? note : fold}</small>
            <ExpandMoreIcon aria-hidden />
          </Fold>
        </Title>
        {open && actions !== undefined && <Actions>{actions}</Actions>}
      </Head>
      {open && <div id={body}>{children}</div>}
    </Frame>
  );
}

/** A bordered surface with hairlines inside. */
export function Panel(props: PanelProps) {
  const phone = useMediaQuery(PHONE);
  const { title, note, actions, fold, children, ...frame } = props;
  if (phone && fold !== undefined) return <FoldedPanel {...props} />;
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
