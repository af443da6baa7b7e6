import { styled } from '@mui/material/styles';
import type { WorkloadAnswer } from '@plimsoll/contract/wire/kubernetes';
import { Age } from '../../components/age.tsx';
import { LEVEL_NAME } from '../../components/chips.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Panel, Rows } from '../../components/panel.tsx';
import { LevelIcon } from '../../components/status-icons.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { escapeMessage } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { momentMs } from '../../time/age.ts';

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr) auto',
  gap: '0 10px',
  padding: '9px 16px',
  '& > svg': { marginTop: 2 },
  '& a': { fontWeight: 600, color: theme.vars.palette.text.primary, overflowWrap: 'anywhere' },
  '& small, & .age': { ...theme.typography.caption, color: theme.vars.palette.load.text3 },
  '& small': { display: 'block', overflowWrap: 'anywhere' },
}));

/** Open alerts of the workload; a title leads to its alert. */
export function WorkloadAlerts({ alerts }: { alerts: WorkloadAnswer['alerts'] }) {
  return (
    <Panel title="Alerts" note={alerts.length === 0 ? undefined : `${String(alerts.length)} open`}>
      {alerts.length === 0 && <EmptyState sentence="No open alerts" />}
      <Rows>
        {alerts.map((alert) => (
          <Row key={alert.alert_id}>
            <LevelIcon level={alert.level} />
            <span>
              <VisuallyHidden>{LEVEL_NAME[alert.level]}: </VisuallyHidden>
              <Link to={paths.alert(alert.alert_id)}>{escapeMessage(alert.message)}</Link>
              {alert.acknowledged && <small>acknowledged</small>}
            </span>
            <span className="age">
              <Age at={momentMs(alert.opened_at)} form="short" />
            </span>
          </Row>
        ))}
      </Rows>
    </Panel>
  );
}
