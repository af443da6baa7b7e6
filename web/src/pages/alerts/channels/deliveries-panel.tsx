import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { useEveryRow } from '../../../api/every-row.ts';
import { styled } from '@mui/material/styles';
import type { DeliveriesAnswer } from '@plimsoll/contract/wire/notify';
import { useState } from 'react';
import { deliveriesQuery } from '../../../api/notify.ts';
import { useQuery } from '../../../api/query.ts';
import { ExportButton } from '../../../components/export/export-button.tsx';
import { fieldsTable } from '../../../components/export/export-file.ts';
import { FeedPanel } from '../../../components/feedback/feed-panel.tsx';
import { Filter } from '../../../components/form/toolbar.tsx';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { plural } from '../../../format/figures.ts';
import { paths } from '../../../paths.ts';
import { Link } from '../../../router.ts';
import { momentMs } from '../../../time/age.ts';
import { clockSeconds, dayAndTime, fullMoment } from '../../../time/zone.ts';
import { Quiet } from '../../../components/form/form-parts.tsx';
import { OUTCOME } from '../../../format/delivery-words.ts';
import { Check as CheckIcon, Close as CloseIcon } from '../../../components/icons/material.tsx';

type Delivery = DeliveriesAnswer['deliveries'][number];

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '16px 108px minmax(0, 1fr) minmax(0, 1fr) minmax(0, 2fr)',
  alignItems: 'center',
  gap: '0 12px',
  minHeight: 40,
  padding: '6px 16px',
  overflowWrap: 'anywhere',
  '& > svg': { fontSize: 16, color: theme.vars.palette.load.okText },
  '&[data-over] > svg, &[data-over] .outcome': { color: theme.vars.palette.load.overText },
  '& time': { color: theme.vars.palette.text.secondary, fontVariantNumeric: 'tabular-nums' },
  [theme.breakpoints.down('md')]: {
    gridTemplateColumns: '16px minmax(0, 1fr) auto',
    '& > time': { gridColumn: 3, gridRow: 1 },
    '& > .channel': { gridColumn: 2, gridRow: 1 },
    '& > .about, & > .verdict': { gridColumn: '2 / -1' },
  },
}));

/** The time of an attempt: with seconds today, with the day before that. */
const whenText = (ms: number, now: number) => (now - ms < DAY_MS ? clockSeconds(ms) : dayAndTime(ms));

function DeliveryRow({ delivery, now }: { delivery: Delivery; now: number }) {
  const { outcome, detail, attempt, alert_ids: alerts } = delivery;
  const at = momentMs(delivery.at) ?? 0;
  const { name, isOver } = OUTCOME[outcome];
  const [first] = alerts;
  return (
    <Row data-over={isOver ? '' : undefined}>
      {isOver ? <CloseIcon aria-hidden /> : <CheckIcon aria-hidden />}
      <time dateTime={delivery.at} title={fullMoment(at)}>
        {whenText(at, now)}
      </time>
      <span className="channel">{escapeInvisible(delivery.channel_name)}</span>
      <span className="about">
        {first === undefined ? (
          escapeInvisible(delivery.hostname)
        ) : (
          <Link to={paths.alert(first)}>{escapeInvisible(delivery.hostname)}</Link>
        )}
        {alerts.length > 1 && <Quiet> {plural(alerts.length, 'alert')}</Quiet>}
      </span>
      <span className="verdict">
        <span className="outcome">{name}</span>
        {attempt > 1 && <Quiet> attempt {attempt}</Quiet>}
        {detail !== '' && <Quiet> {escapeInvisible(detail)}</Quiet>}
      </span>
    </Row>
  );
}

const EXPORTED = [
  'at',
  'channel_name',
  'type',
  'outcome',
  'detail',
  'hostname',
  'attempt',
  'alert_ids',
  'channel_id',
] as const;

/** Delivery log of one channel, or of all. */
export function DeliveriesPanel({ channels }: { channels: readonly { id: string; name: string }[] }) {
  const [chosen, setChosen] = useState('');
  const asked = useQuery(deliveriesQuery(chosen));
  const deliveries = asked.data?.deliveries ?? [];
  const everyDelivery = useEveryRow(
    (page) => deliveriesQuery(chosen, page),
    ({ deliveries: rows, total }) => ({ rows, total }),
  );
  return (
    <FeedPanel
      title="Delivery log"
      note={asked.data === undefined ? undefined : `${deliveries.length} of ${asked.data.total}, kept for 30 days`}
      actions={
        <>
          <ExportButton
            holds={['deliveries', channels.find(({ id }) => id === chosen)?.name ?? '']}
            table={async () => fieldsTable(await everyDelivery(), EXPORTED)}
            disabled={deliveries.length === 0}
          />
          <Filter
            label="Channel"
            value={chosen}
            options={[
              { value: '', label: 'All' },
              ...channels.map(({ id, name }) => ({ value: id, label: escapeInvisible(name) })),
            ]}
            onChange={setChosen}
          />
        </>
      }
      asked={asked}
      rows={4}
      empty={{ sentence: 'No messages yet', reason: 'Each attempt to send an alert appears here.' }}
    >
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} now={asked.dataUpdatedAt} />
      ))}
    </FeedPanel>
  );
}
