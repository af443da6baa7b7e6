import { styled } from '@mui/material/styles';

/** Names differ at their end (a pod's hash, a host's number): these characters always stay. */
const TAIL = 6;

const Box = styled('span')({
  display: 'inline-flex',
  maxWidth: '100%',
  minWidth: 0,
  verticalAlign: 'bottom',
  '& > .head': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'pre', minWidth: '1.2em' },
  '& > .tail': { flex: 'none', whiteSpace: 'pre' },
});

/** A name that shortens in its middle; the whole of it on hover and for a screen reader. */
export function MiddleTruncate({ text, tail = TAIL }: { text: string; tail?: number }) {
  if (text.length <= tail * 2) return <span>{text}</span>;
  return (
    <Box title={text}>
      <span className="head">{text.slice(0, -tail)}</span>
      <span className="tail">{text.slice(-tail)}</span>
    </Box>
  );
}
