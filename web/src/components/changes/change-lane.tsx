import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';
import { styled } from '@mui/material/styles';
import type { Change } from '@plimsoll/contract/wire/changes';
import { momentMs } from '../../time/age.ts';
import { clockTime, dayAndTime } from '../../time/zone.ts';
import { plural } from '../../format/figures.ts';
import { changeText } from './change-words.ts';
import { laneGroups, laneLabel } from './lane-groups.ts';

const Track = styled('div')(({ theme }) => ({
  position: 'relative',
  height: 76,
  margin: '4px 28px 0',
  '&::before': {
    content: '""',
    position: 'absolute',
    left: 0,
    right: 0,
    top: 36,
    height: 1,
    backgroundColor: theme.vars.palette.load.edge,
  },
  '& > button': {
    ...theme.typography.caption,
    position: 'absolute',
    top: 0,
    transform: 'translateX(-50%)',
    display: 'grid',
    justifyItems: 'center',
    gap: 2,
    width: 24,
    height: 76,
    padding: 0,
    border: 0,
    background: 'none',
    cursor: 'pointer',
    color: theme.vars.palette.text.secondary,
    fontVariantNumeric: 'tabular-nums',
    whiteSpace: 'nowrap',
  },
  '& > button > i': {
    width: 12,
    height: 12,
    marginTop: 9,
    borderRadius: '50%',
    border: `2px solid ${theme.vars.palette.primary.main}`,
    backgroundColor: theme.vars.palette.background.paper,
  },
  '& > button[data-kind="scale"] > i': {
    borderRadius: 1,
    transform: 'rotate(45deg) scale(0.8)',
    borderColor: theme.vars.palette.text.secondary,
  },
  '& > button[data-kind="gone"] > i': { borderColor: theme.vars.palette.load.over },
  '& > button[aria-pressed="true"] > i': { backgroundColor: theme.vars.palette.primary.main },
  '& > button > b': { color: theme.vars.palette.text.primary, fontWeight: 500 },
  // A phone has no room for the words of each: those of the chosen one.
  [theme.breakpoints.down('sm')]: {
    '& > button:not([aria-pressed="true"]) > span, & > button:not([aria-pressed="true"]) > b': { visibility: 'hidden' },
  },
  '& > button:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
}));
const Ends = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  justifyContent: 'space-between',
  padding: '0 16px 10px',
  color: theme.vars.palette.load.text3,
  fontVariantNumeric: 'tabular-nums',
}));

const kindOf = ({ action, fields }: Change): string =>
  action === 'gone'
    ? 'gone'
    : fields.every(({ field }) => field === 'replicas') && fields.length > 0
      ? 'scale'
      : 'change';

interface ChangeLaneProps {
  changes: readonly Change[];
  /** Epoch seconds. */
  from: number;
  to: number;
  chosen: string | null;
  onChoose: (change: Change) => void;
}

/** A lane of time with a mark for each change; a press chooses it. */
export function ChangeLane({ changes, from, to, chosen, onChoose }: ChangeLaneProps) {
  const text = to - from > DAY_SECONDS ? dayAndTime : clockTime;
  return (
    <>
      <Track role="group" aria-label="Changes">
        {laneGroups(changes, from, to).map(({ share, changes: those }) => {
          const last = those.at(-1);
          if (last === undefined) return null;
          const isOne = those.length === 1;
          return (
            <button
              key={last.id}
              type="button"
              style={{ left: `${String(share * 100)}%` }}
              data-kind={isOne ? kindOf(last) : 'change'}
              aria-pressed={those.some(({ id }) => id === chosen)}
              title={those.map(changeText).join('\n')}
              onClick={() => onChoose(last)}
            >
              <span>{text(momentMs(last.at) ?? 0)}</span>
              <i aria-hidden />
              <b>{isOne ? laneLabel(last) : plural(those.length, 'change')}</b>
            </button>
          );
        })}
      </Track>
      <Ends aria-hidden>
        <span>{text(from * 1000)}</span>
        <span>{text(to * 1000)}</span>
      </Ends>
    </>
  );
}
