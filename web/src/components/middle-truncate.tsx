import { styled } from '@mui/material/styles';
import { VisuallyHidden } from './visually-hidden.tsx';

/** Names differ at their end (a pod's hash, a host's number): these characters always stay. */
const TAIL = 6;

const Box = styled('span')({
  display: 'inline-flex',
  position: 'relative',
  maxWidth: '100%',
  minWidth: 0,
  verticalAlign: 'bottom',
  '& > [data-text]::before': { content: 'attr(data-text)' },
  '& > .head': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'pre', minWidth: '1.2em' },
  '& > .tail': { flex: 'none', whiteSpace: 'pre' },
});

/**
 * A name that shortens in its middle; the whole of it on hover, in a selection and for a screen reader. The two parts are
 * generated and hidden from it: side by side they would put a space into the name of the link around them.
 */
export function MiddleTruncate({ text, tail = TAIL }: { text: string; tail?: number }) {
  if (text.length <= tail * 2) return <span>{text}</span>;
  return (
    <Box title={text}>
      <VisuallyHidden>{text}</VisuallyHidden>
      <span className="head" aria-hidden data-text={text.slice(0, -tail)} />
      <span className="tail" aria-hidden data-text={text.slice(-tail)} />
    </Box>
  );
}
