import { styled } from '@mui/material/styles';
import type { KubernetesEvent } from '@plimsoll/contract/wire/kubernetes';
import { momentMs } from '../../time/age.ts';
import { numberText } from '../../format/figures.ts';
import { escapeInvisible, escapeMessage } from '../../format/escape-invisible.ts';
import { Age } from '../age.tsx';
import { LevelIcon } from '../status-icons.tsx';
import { Rows } from '../panel.tsx';
import { oneCluster, type ClusterNameOf } from './cluster-name-of.ts';

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr) auto',
  gap: '0 10px',
  padding: '8px 16px',
  '& > svg': { marginTop: 2 },
  '& b': { fontWeight: 600 },
  '& .count, & .age': { color: theme.vars.palette.load.text3 },
  '& .age': { ...theme.typography.caption, lineHeight: '20px', textAlign: 'right' },
  '& .message': {
    ...theme.typography.caption,
    gridColumn: 2,
    color: theme.vars.palette.text.secondary,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
  '& .subject': {
    ...theme.typography.caption,
    maxWidth: 130,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: theme.vars.palette.load.text3,
  },
}));

interface WarningRowsProps {
  events: readonly KubernetesEvent[];
  /** False: all are of one object that stands above. */
  subject?: boolean;
  clusterName?: ClusterNameOf;
}

/** Warnings of the cluster: why, how often, of what, how long ago. */
export function WarningRows({ events, subject = true, clusterName = oneCluster }: WarningRowsProps) {
  return (
    <Rows>
      {events.map((event) => (
        <Row key={event.id}>
          <LevelIcon level={event.type === 'Warning' ? 'warning' : 'info'} />
          <span>
            <b>{escapeInvisible(event.reason)}</b>
            {event.count > 1 && <span className="count"> ×{numberText(event.count)}</span>}
          </span>
          <span className="age">
            <Age at={momentMs(event.last_at)} form="short" />
          </span>
          <span className="message" title={escapeMessage(event.message)}>
            {escapeMessage(event.message)}
          </span>
          {subject && (
            <span className="subject" title={`${event.kind} ${escapeInvisible(event.name)}`}>
              {escapeInvisible(event.name)}
              {clusterName(event.cluster_id) !== null && ` · ${escapeInvisible(clusterName(event.cluster_id) ?? '')}`}
            </span>
          )}
        </Row>
      ))}
    </Rows>
  );
}
