import { styled } from '@mui/material/styles';
import type { ComponentProps } from 'react';

/** Stands where the token will be: nothing is created for a command that nobody copies. */
export const TOKEN_PLACEHOLDER = '<created when you copy>';

export const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) 340px',
  alignItems: 'start',
  gap: 12,
  [theme.breakpoints.down('lg')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));
export const Stack = styled('div')({ display: 'grid', gap: 12, minWidth: 0 });

/** Text as it is written to a file. */
export const Code = styled('pre')(({ theme }) => ({
  margin: 0,
  padding: '10px 14px',
  border: `1px solid ${theme.vars.palette.load.edge}`,
  borderRadius: 6,
  backgroundColor: theme.vars.palette.background.default,
  fontSize: 12.5,
  lineHeight: '20px',
  fontVariantLigatures: 'none',
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  // A long option continues on an indented line, so that the start of each option is visible.
  '& > .row': { display: 'block', paddingLeft: '4ch', textIndent: '-2ch' },
  '& > .row:first-of-type': { textIndent: '-4ch' },
  // A line may end between two words, not after the dashes of an option.
  '& > .row > span': { display: 'inline-block', maxWidth: '100%', textIndent: 0 },
  '& i': { fontStyle: 'normal', userSelect: 'none', color: theme.vars.palette.load.text3 },
}));

interface CommandProps extends Omit<ComponentProps<typeof Code>, 'children'> {
  text: string;
}

const isSpace = (part: string) => /^\s/.test(part);

/** A command as the shell reads it, line by line, wrapped between its words only. */
export function Command({ text, ...box }: CommandProps) {
  return (
    <Code {...box}>
      {text.split('\n').map((line, row) => (
        <span key={line} className="row">
          {row === 0 && <i aria-hidden>$ </i>}
          {line
            .trim()
            .split(/(\s+)(?!\\|\s)/)
            .map((part, index) => (isSpace(part) ? part : <span key={index}>{part}</span>))}
        </span>
      ))}
    </Code>
  );
}

export const Small = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: 0,
  color: theme.vars.palette.text.secondary,
}));

/** A small text beside an icon. */
export const Fine = styled(Small)({ display: 'flex', gap: 6, '& > svg': { fontSize: 14, marginTop: 1, flex: 'none' } });

/** Name left, fact right, a hairline between two rows. */
export const Facts = styled('dl')(({ theme }) => ({
  margin: 0,
  '& > div': { display: 'flex', justifyContent: 'space-between', gap: 16, padding: '5px 0' },
  '& > div + div': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& dt': { color: theme.vars.palette.text.secondary },
  '& dd': { margin: 0, textAlign: 'right', overflowWrap: 'anywhere' },
}));
