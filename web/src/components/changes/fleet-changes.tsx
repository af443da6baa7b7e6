import { styled } from '@mui/material/styles';
import { plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { useView } from '../../state/view.ts';
import { momentMs } from '../../time/age.ts';
import { endingAt, rangeBounds } from '../../time/range.ts';
import type { AskingChanges } from './asking-changes.ts';
import { changeText } from './change-words.ts';
import { laneGroups } from './lane-groups.ts';

const Lane = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: 10,
  marginTop: 10,
  ...theme.typography.caption,
  color: theme.vars.palette.load.text3,
  '& > div': { position: 'relative', height: 18, borderBottom: `1px solid ${theme.vars.palette.divider}` },
  '& > div > a': {
    position: 'absolute',
    top: 0,
    width: 18,
    height: 18,
    marginLeft: -9,
    display: 'grid',
    placeItems: 'center',
  },
  '& i': {
    width: 8,
    height: 8,
    transform: 'rotate(45deg)',
    border: `1.5px solid ${theme.vars.palette.text.secondary}`,
    backgroundColor: theme.vars.palette.background.paper,
  },
  '& a:hover i, & a:focus-visible i': { borderColor: theme.vars.palette.primary.main },
}));

export const FLEET_RANGE = { kind: 'relative', hours: 24 } as const;
/** Lines of the text that a mark shows on hover. */
const NAMED = 6;
/** Shown before and after a mark that is opened. */
const MARGIN_SECONDS = 900;

/** The changes of the last day as a lane below the fleet; a mark opens the list around it. */
export function FleetChanges({ asked: { data, dataUpdatedAt } }: { asked: AskingChanges }) {
  const { at } = useView();
  if (data === undefined || data.changes.length === 0) return null;
  const { from, to } = rangeBounds(endingAt(FLEET_RANGE, at ?? undefined), dataUpdatedAt);
  return (
    <Lane>
      <Link to={paths.changes}>Changes</Link>
      <div role="group" aria-label="Changes of the last 24 hours">
        {laneGroups(data.changes, from, to, 0.03).map(({ share, changes }) => {
          const times = changes.map((change) => (momentMs(change.at) ?? 0) / 1000);
          const words = changes.slice(0, NAMED).map(changeText);
          const more = changes.length - words.length;
          const range = {
            from: Math.floor(Math.min(...times) - MARGIN_SECONDS),
            to: Math.ceil(Math.max(...times) + MARGIN_SECONDS),
          };
          return (
            <Link
              key={changes[0]?.id}
              to={paths.changesOf(range)}
              style={{ left: `${String(share * 100)}%` }}
              aria-label={changes.length === 1 ? words[0] : plural(changes.length, 'change')}
              title={[...words, ...(more > 0 ? [`and ${String(more)} more`] : [])].join('\n')}
            >
              <i aria-hidden />
            </Link>
          );
        })}
      </div>
      <span>24 h</span>
    </Lane>
  );
}
