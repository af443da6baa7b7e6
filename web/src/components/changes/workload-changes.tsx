import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import type { Change } from '@plimsoll/contract/wire/changes';
import { useState } from 'react';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { useView } from '../../state/view.ts';
import { momentMs } from '../../time/age.ts';
import { endingAt, rangeBounds, rangeLabel } from '../../time/range.ts';
import { fullMoment } from '../../time/zone.ts';
import { Age } from '../age.tsx';
import { Failure } from '../feedback/feed-panel.tsx';
import { RowsSkeleton } from '../feedback/skeletons.tsx';
import { EmptyState } from '../feedback/states.tsx';
import { CopyButton } from '../form/copy-button.tsx';
import { Toggle } from '../form/toggle.tsx';
import { kubectlUndo } from './kubectl-undo.ts';
import { Panel } from '../panel.tsx';
import type { AskingChanges } from './asking-changes.ts';
import { ChangeLane } from './change-lane.tsx';
import { FieldDiff } from './field-diff.tsx';

const RANGES = [6, 24, 168, 720] as const;
const LISTED = 6;

const Parts = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 2fr) minmax(220px, 1fr)',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > section': { padding: '12px 16px', minWidth: 0 },
  '& > section > h3': { ...theme.typography.h3, margin: '0 0 2px', fontWeight: 600 },
  '& > section > p': { ...theme.typography.caption, margin: '0 0 10px', color: theme.vars.palette.text.secondary },
  '& > section > footer': { marginTop: 10 },
  '& > ul': {
    listStyle: 'none',
    margin: 0,
    padding: 0,
    borderLeft: `1px solid ${theme.vars.palette.divider}`,
  },
  '& > ul > li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  [theme.breakpoints.down('md')]: {
    gridTemplateColumns: 'minmax(0, 1fr)',
    '& > ul': { borderLeft: 0, borderTop: `1px solid ${theme.vars.palette.divider}` },
  },
}));
const Choice = styled(ButtonBase)(({ theme }) => ({
  width: '100%',
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  gap: '0 10px',
  padding: '8px 16px',
  textAlign: 'left',
  font: 'inherit',
  '&[aria-pressed="true"]': { backgroundColor: theme.vars.palette.action.selected },
  '& > b': { fontWeight: 500, overflowWrap: 'anywhere' },
  '& > small': { ...theme.typography.caption, color: theme.vars.palette.text.secondary },
}));

/** Fields of the pod template; the others are no part of a revision. */
const TEMPLATE =
  /^(?:containers|initContainers|volumes|template|serviceAccountName|securityContext|nodeSelector|affinity|tolerations)/;
const ROLLED: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);
const isRollout = ({ kind, source, fields }: Change): boolean =>
  source === 'cluster' && ROLLED.has(kind) && fields.some(({ field }) => TEMPLATE.test(field));

/** `undo`: the change is the last rollout, so kubectl can take it back. */
function Chosen({ change, undo }: { change: Change; undo: boolean }) {
  const ms = momentMs(change.at) ?? 0;
  const { kind, namespace, name } = change;
  return (
    <section>
      <h3>{escapeInvisible(change.title)}</h3>
      <p>
        {fullMoment(ms)}
        {change.by !== null && ` by ${escapeInvisible(change.by)}`}
      </p>
      <FieldDiff fields={change.fields} />
      {undo && namespace !== null && (
        <footer>
          <CopyButton text={kubectlUndo({ kind, namespace, name })} label="Copy the undo command" />
        </footer>
      )}
    </section>
  );
}

interface WorkloadChangesProps {
  asked: AskingChanges;
  /** Hours that the lane shows. */
  hours: number;
  onHours: (hours: number) => void;
}

/** Changes of a workload on a lane of time, with the fields of the chosen one. */
export function WorkloadChanges({ asked, hours, onHours }: WorkloadChangesProps) {
  const [chosenId, setChosen] = useState<string | null>(null);
  const { at } = useView();
  const { data, dataUpdatedAt } = asked;
  const changes = data?.changes ?? [];
  const chosen = changes.find(({ id }) => id === chosenId) ?? changes[0];
  const { from, to } = rangeBounds(endingAt({ kind: 'relative', hours }, at ?? undefined), dataUpdatedAt);
  return (
    <Panel
      title="Changes"
      actions={
        <Toggle
          label="Time range of the changes"
          value={String(hours)}
          options={RANGES.map((each) => ({ value: String(each), label: rangeLabel(each) }))}
          onChange={(value) => onHours(Number(value))}
        />
      }
    >
      {asked.isPending && <RowsSkeleton rows={2} height={40} />}
      <Failure asked={asked} />
      {data !== undefined && chosen === undefined && (
        <EmptyState
          sentence="No changes in this range"
          reason="Choose a longer range. Changes are recorded since the collector reports them."
        />
      )}
      {chosen !== undefined && (
        <>
          <ChangeLane
            changes={changes}
            from={from}
            to={to}
            chosen={chosen.id}
            onChoose={(change) => setChosen(change.id)}
          />
          <Parts>
            <Chosen change={chosen} undo={chosen === changes.find(isRollout)} />
            <ul>
              {changes.slice(0, LISTED).map((change) => (
                <li key={change.id}>
                  <Choice aria-pressed={change.id === chosen.id} onClick={() => setChosen(change.id)}>
                    <b>{escapeInvisible(change.title)}</b>
                    <small>
                      <Age at={momentMs(change.at)} form="short" />
                    </small>
                    <small>{change.by === null ? 'by an unknown program' : escapeInvisible(change.by)}</small>
                  </Choice>
                </li>
              ))}
            </ul>
          </Parts>
        </>
      )}
    </Panel>
  );
}
