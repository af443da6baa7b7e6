import { styled } from '@mui/material/styles';

const Target = styled('label')(({ theme }) => ({
  display: 'grid',
  placeContent: 'center',
  width: 32,
  height: 32,
  cursor: 'pointer',
  '& input': { width: 16, height: 16, margin: 0, accentColor: theme.vars.palette.primary.main, cursor: 'inherit' },
  '& input:focus-visible': { outline: `2px solid ${theme.vars.palette.info.main}`, outlineOffset: 2 },
  '&[data-full]': { cursor: 'not-allowed' },
  [theme.breakpoints.down('sm')]: { width: 40, height: 40 },
}));

/** State that a list needs to tick its rows. */
export interface Ticks {
  ids: readonly string[];
  /** No other can be ticked. */
  full: boolean;
  toggle: (id: string) => void;
}

/** Chooses a server for the comparison. */
export function CompareTick({ id, name, ticks }: { id: string; name: string; ticks: Ticks }) {
  const ticked = ticks.ids.includes(id);
  const full = ticks.full && !ticked;
  return (
    <Target title={full ? 'Eight servers are chosen. Remove one first.' : 'Compare'} data-full={full ? '' : undefined}>
      <input
        type="checkbox"
        aria-label={`Compare ${name}`}
        checked={ticked}
        disabled={full}
        onChange={() => ticks.toggle(id)}
      />
    </Target>
  );
}
