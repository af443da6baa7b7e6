import { styled } from '@mui/material/styles';
import type { WorkloadAnswer } from '@plimsoll/contract/wire/kubernetes';
import { Age } from '../../components/age.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Panel, Rows } from '../../components/panel.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { momentMs } from '../../time/age.ts';
import { clockTime, dayAndTime } from '../../time/zone.ts';

const ROLLOUTS_SHOWN = 10;
const DAY_MS = 86_400_000;
const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '110px minmax(0, 1fr) auto',
  gap: '4px 12px',
  alignItems: 'baseline',
  padding: '9px 16px',
  '& > time': { fontVariantNumeric: 'tabular-nums' },
  '& > .age': { ...theme.typography.caption, color: theme.vars.palette.load.text3 },
  '& > ul': { listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 4, minWidth: 0 },
  '& small': { ...theme.typography.caption, color: theme.vars.palette.text.secondary, marginRight: 8 },
  '& code': { padding: '1px 6px', borderRadius: 4, fontSize: 12, overflowWrap: 'anywhere' },
  '& del': { textDecoration: 'none', color: theme.vars.palette.load.overText, marginRight: 6 },
  '& ins': { textDecoration: 'none', color: theme.vars.palette.load.okText },
  [theme.breakpoints.down('sm')]: {
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    '& > ul': { gridRow: 2, gridColumn: '1 / -1' },
  },
}));
const timeText = (at: number) => (Date.now() - at < DAY_MS ? clockTime(at) : dayAndTime(at));

/** Changes of images, newest first, as a field diff with − and +. */
export function WorkloadRollouts({ answer: { rollouts } }: { answer: WorkloadAnswer }) {
  return (
    <Panel title="Rollouts" note="changes of images that its stored pods show">
      {rollouts.length === 0 && (
        <EmptyState
          sentence="No rollout is known"
          reason="Every stored pod has the same images. The other changes are listed above."
        />
      )}
      <Rows>
        {rollouts.slice(0, ROLLOUTS_SHOWN).map(({ at, changes }) => (
          <Row key={at}>
            <time dateTime={at}>{timeText(momentMs(at) ?? 0)}</time>
            <ul>
              {changes.map(({ container, from, to }) => (
                <li key={container}>
                  <small>{escapeInvisible(container)}</small>
                  <del>
                    <VisuallyHidden>from </VisuallyHidden>
                    <code>− {escapeInvisible(from)}</code>
                  </del>
                  <ins>
                    <VisuallyHidden>to </VisuallyHidden>
                    <code>+ {escapeInvisible(to)}</code>
                  </ins>
                </li>
              ))}
            </ul>
            <span className="age">
              <Age at={momentMs(at)} form="short" />
            </span>
          </Row>
        ))}
      </Rows>
    </Panel>
  );
}
