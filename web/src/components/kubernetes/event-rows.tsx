import { styled } from '@mui/material/styles';
import type { KubernetesEvent } from '@plimsoll/contract/wire/kubernetes';
import { escapeInvisible, escapeMessage } from '../../format/escape-invisible.ts';
import { numberText } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { momentMs } from '../../time/age.ts';
import { Age } from '../age.tsx';
import { Rows } from '../panel.tsx';
import { LevelIcon } from '../status-icons.tsx';
import { VisuallyHidden } from '../visually-hidden.tsx';
import type { ClusterNameOf } from './cluster-name-of.ts';
import { podKey } from './kubernetes-words.ts';

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '16px 168px minmax(0, 1fr) 240px 72px',
  gap: '2px 12px',
  alignItems: 'baseline',
  padding: '9px 16px',
  '& > svg': { alignSelf: 'start', marginTop: 3 },
  '& b': { fontWeight: 600, overflowWrap: 'anywhere' },
  '& .count, & .age, & small': { color: theme.vars.palette.load.text3 },
  '& .age': { textAlign: 'right', whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' },
  '& .message': { color: theme.vars.palette.text.secondary, overflowWrap: 'anywhere' },
  '& .object': { minWidth: 0, overflowWrap: 'anywhere' },
  '& small': { ...theme.typography.caption, display: 'block' },
  [theme.breakpoints.down('lg')]: {
    gridTemplateColumns: '16px minmax(0, 1fr) auto',
    '& > .age': { gridColumn: 3, gridRow: 1 },
    '& > .object, & > .message': { gridColumn: '2 / 4' },
  },
}));

/** Only a pod has an address that its name and its cluster make. */
function ObjectName({ event }: { event: KubernetesEvent }) {
  const name = escapeInvisible(event.name);
  if (event.kind !== 'Pod') return name;
  const { cluster_id, namespace, name: pod_name } = event;
  return <Link to={paths.kubernetesPod(podKey({ cluster_id, namespace, pod_name }))}>{name}</Link>;
}

/** Events with their whole message: reason and count, what happened, to which object, when last. */
export function EventRows({ events, clusterName }: { events: readonly KubernetesEvent[]; clusterName: ClusterNameOf }) {
  return (
    <Rows>
      {events.map((event) => {
        const cluster = clusterName(event.cluster_id);
        const where = [cluster, event.namespace].filter((part) => part !== null && part !== '');
        return (
          <Row key={`${event.cluster_id} ${event.id}`}>
            <LevelIcon level={event.type === 'Warning' ? 'warning' : 'info'} />
            <span>
              <VisuallyHidden>{escapeInvisible(event.type)}: </VisuallyHidden>
              <b>{escapeInvisible(event.reason)}</b>
              {event.count > 1 && <span className="count"> ×{numberText(event.count)}</span>}
            </span>
            <span className="message">{escapeMessage(event.message)}</span>
            <span className="object">
              {escapeInvisible(event.kind)} <ObjectName event={event} />
              <small>{where.map((part) => escapeInvisible(part ?? '')).join(' · ')}</small>
            </span>
            <span className="age">
              <Age at={momentMs(event.last_at)} form="short" />
            </span>
          </Row>
        );
      })}
    </Rows>
  );
}
