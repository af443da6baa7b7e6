import { styled } from '@mui/material/styles';
import { processStatus } from '../../format/process-words.ts';

const Box = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  color: theme.vars.palette.text.secondary,
  '&[data-tone="ok"]': { color: theme.vars.palette.load.okText },
  '&[data-tone="near"]': { color: theme.vars.palette.load.nearText },
  '&[data-tone="over"]': { color: theme.vars.palette.load.overText },
}));

const SHAPE = {
  ok: 'M2 1 8 5 2 9Z',
  near: 'M1.5 1h2.4v8H1.5ZM6.1 1h2.4v8H6.1Z',
  over: 'M1.2 2.2 2.2 1.2 5 4 7.8 1.2 8.8 2.2 6 5 8.8 7.8 7.8 8.8 5 6 2.2 8.8 1.2 7.8 4 5Z',
} as const;

interface ProcessStatusProps {
  letter: string;
  /** A state of the past has no colour: nobody can say that it still holds. */
  past?: boolean;
}

/** "▶ Running": the state of a process by its letter. */
export function ProcessStatus({ letter, past = false }: ProcessStatusProps) {
  const known = processStatus(letter);
  const { name } = known;
  const tone = past ? 'plain' : known.tone;
  return (
    <Box data-tone={tone}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden>
        {tone === 'plain' ? (
          <circle cx="5" cy="5" r="3" fill="none" stroke="currentColor" strokeWidth="1.8" />
        ) : (
          <path d={SHAPE[tone]} fill="currentColor" />
        )}
      </svg>
      {name}
    </Box>
  );
}
