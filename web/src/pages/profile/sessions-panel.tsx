import Button from '@mui/material/Button';
import { endSession, sessionsQuery } from '../../api/account.ts';
import { useQuery } from '../../api/query.ts';
import { Age } from '../../components/age.tsx';
import { Chip } from '../../components/chips.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Panel, Rows } from '../../components/panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { momentMs } from '../../time/age.ts';
import { deviceName } from './device-name.ts';
import { dayAndTime } from '../../time/zone.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { Entry, Quiet } from './profile-parts.tsx';
import { useAction } from './use-action.ts';

/** Sessions of this account; each except this one can be ended here. */
export function SessionsPanel() {
  const asked = useQuery(sessionsQuery());
  const action = useAction(endSession, 'sessions');
  return (
    <Panel title="Sessions" note={asked.data === undefined ? undefined : String(asked.data.total)}>
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={2} height={52} />}
      {action.error !== null && <Notice tone="error">{action.error}</Notice>}
      <Rows>
        {(asked.data?.sessions ?? []).map((session) => (
          <Entry key={session.id}>
            <div>
              <b title={session.user_agent === null ? undefined : escapeInvisible(session.user_agent)}>
                {deviceName(session.user_agent)}
              </b>
              <br />
              <Quiet>
                {session.address === null ? '' : `${escapeInvisible(session.address)}, `}
                signed in <Age at={momentMs(session.created_at)} />, ends{' '}
                {dayAndTime(momentMs(session.expires_at) ?? Number.NaN)}
              </Quiet>
            </div>
            {session.current ? (
              <Chip>This one</Chip>
            ) : (
              <Button variant="outlined" disabled={action.busy} onClick={() => void action.start(session.id)}>
                End
              </Button>
            )}
          </Entry>
        ))}
      </Rows>
    </Panel>
  );
}
