import { styled } from '@mui/material/styles';
import type { KubernetesEvent } from '@plimsoll/contract/wire/kubernetes';
import { momentMs } from '../../time/age.ts';
import { numberText } from '../../format/figures.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { Age } from '../age.tsx';
import { LevelIcon } from '../status-icons.tsx';
import { Rows } from '../panel.tsx';

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

/** Warnings of the cluster: why, how often, of what, how long ago. */
export function WarningRows({ events, subject = true }: { events: readonly KubernetesEvent[]; subject?: boolean }) {
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
          <span className="message" title={escapeInvisible(event.message)}>
            {escapeInvisible(event.message)}
          </span>
          {subject && (
            <span className="subject" title={`${event.kind} ${escapeInvisible(event.name)}`}>
              {escapeInvisible(event.name)}
            </span>
          )}
        </Row>
      ))}
    </Rows>
  );
}
