import { ExplainButton } from '../../../components/explain-button.tsx';
import { styled } from '@mui/material/styles';
import type { AlertDetailAnswer } from '@plimsoll/contract/wire/alerts/alert-detail';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { paths } from '../../../paths.ts';
import { Link } from '../../../router.ts';
import { momentMs } from '../../../time/age.ts';
import { clockSeconds, dayAndTime, fullMoment } from '../../../time/zone.ts';
import { Quiet } from '../../../components/form/form-parts.tsx';
import { DELIVERY_STATE, historyWords } from './history-words.ts';

const Part = styled('section')(({ theme }) => ({
  minWidth: 0,
  overflowWrap: 'anywhere',
  '& > h3': { ...theme.typography.caption, margin: '0 0 4px', color: theme.vars.palette.load.text3 },
  '& ol': { listStyle: 'none', margin: 0, padding: 0 },
  '& li': { minHeight: 24 },
  '& time': { color: theme.vars.palette.load.text3, fontVariantNumeric: 'tabular-nums' },
  '& [data-mark="✓"]': { color: theme.vars.palette.load.okText },
  '& [data-mark="✗"]': { color: theme.vars.palette.load.overText },
  '& .links': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '0 16px' },
  [theme.breakpoints.down('sm')]: {
    '& .links a': { display: 'inline-flex', alignItems: 'center', minHeight: 40 },
  },
}));

/** The rule in words, with the way to move its line. */
export function RulePart({ detail: { alert, rule }, mayEdit }: { detail: AlertDetailAnswer; mayEdit: boolean }) {
  const { server_id: server, metric_name: metric } = alert;
  const subject = alert.tags['subject'];
  const mount = metric === 'disk_usage' && typeof subject === 'string' ? `&mount=${encodeURIComponent(subject)}` : '';
  return (
    <Part aria-label="Rule">
      <h3>Rule</h3>
      <div>{escapeInvisible(rule.text)}</div>
      <div className="links">
        {rule.exists ? (
          <Link to={paths.alertRule(rule.rule_id)}>{mayEdit ? 'Edit rule' : 'Open rule'}</Link>
        ) : (
          <Quiet>The rule was deleted.</Quiet>
        )}
        {mayEdit && server !== null && (
          <Link to={`${paths.alertRule('new')}?metric=${encodeURIComponent(metric)}&server=${server}${mount}`}>
            Move the line for this server
          </Link>
        )}
        {server !== null && (
          <Link to={paths.serverAt(server, alert.timestamp)}>
            Processes at that time on {escapeInvisible(alert.tags.hostname)}
          </Link>
        )}
        <ExplainButton
          question={`Why did "${alert.title}" fire?`}
          subject={{ kind: 'alert', alert_id: alert.alert_id }}
        />
      </div>
    </Part>
  );
}

/** "Telegram ✓ 22:14:03". */
export function DeliveriesPart({ deliveries }: { deliveries: AlertDetailAnswer['deliveries'] }) {
  return (
    <Part aria-label="Messages">
      <h3>Messages</h3>
      {deliveries.length === 0 ? (
        <Quiet>
          No message was sent. <Link to={paths.alertChannels}>Channels</Link>
        </Quiet>
      ) : (
        <ol>
          {deliveries.map((delivery) => {
            const { mark, words } = DELIVERY_STATE[delivery.state];
            const at = momentMs(delivery.at) ?? 0;
            return (
              <li key={delivery.channel_id}>
                {escapeInvisible(delivery.channel_name)}{' '}
                <span data-mark={mark} role="img" aria-label={words}>
                  {mark}
                </span>{' '}
                <time dateTime={delivery.at} title={fullMoment(at)}>
                  {clockSeconds(at)}
                </time>
                {delivery.state !== 'delivered' && <Quiet> {words}</Quiet>}
                {delivery.error !== null && <Quiet> {escapeInvisible(delivery.error)}</Quiet>}
              </li>
            );
          })}
        </ol>
      )}
    </Part>
  );
}

/** History of the alert's actions, oldest first. */
export function HistoryPart({ history }: { history: AlertDetailAnswer['history'] }) {
  return (
    <Part aria-label="History">
      <h3>History</h3>
      <ol>
        {history.map((entry, index) => (
          <li key={index}>
            <time dateTime={entry.at}>{dayAndTime(momentMs(entry.at) ?? 0)}</time>{' '}
            <span>{escapeInvisible(historyWords(entry))}</span>
          </li>
        ))}
      </ol>
    </Part>
  );
}
