import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { SourceHealth } from '@plimsoll/contract/wire/report';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { Figure } from '../../../components/figure.tsx';
import { ageText } from '../../../time/age.ts';
import { bytesQuantity, plural } from '../../../format/figures.ts';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { sourcesExport } from './detail-exports.ts';
import { DetailTable } from './detail-table.tsx';

const COLUMNS = [{ name: 'Source' }, { name: 'State' }, { name: 'Took', right: true }, { name: 'Remark' }];

/** "spool 12 KB, oldest 4 min, clock +2.1 s": what the agent says of itself. */
function agentText(agent: ServerDetail['agent']): string | undefined {
  if (agent === null) return undefined;
  const { spool_bytes: spool, spool_oldest_age_seconds: oldest, clock_skew_seconds: skew } = agent;
  const size = spool === null ? null : bytesQuantity(spool);
  const parts = [
    size === null ? null : `spool ${size.value} ${size.unit}`,
    oldest === null ? null : `oldest ${ageText(oldest)}`,
    skew === null ? null : `clock ${skew < 0 ? '−' : '+'}${Math.abs(skew).toFixed(1)} s`,
    agent.last_error === null ? null : escapeInvisible(agent.last_error),
  ];
  return parts.filter((part) => part !== null).join(', ') || undefined;
}

function Row({ name, health }: { name: string; health: SourceHealth }) {
  return (
    <TableRow data-failed={health.ok ? undefined : ''}>
      <TableCell component="th" scope="row">
        <code>{escapeInvisible(name)}</code>
      </TableCell>
      <TableCell className="state">{health.ok ? 'ok' : 'failed'}</TableCell>
      <TableCell align="right">
        <Figure value={health.duration_ms.toFixed(1)} unit="ms" />
      </TableCell>
      <TableCell className="error">{health.error === null ? '' : escapeInvisible(health.error)}</TableCell>
    </TableRow>
  );
}

interface SourcesTableProps {
  subject: string;
  sources: Record<string, SourceHealth>;
  agent: ServerDetail['agent'];
}

/** Result of each reader of the agent in the last report; a failing one leaves its part out, never the report. */
export function SourcesTable({ subject, sources, agent }: SourcesTableProps) {
  const failed = Object.values(sources).filter(({ ok }) => !ok).length;
  const remarks = Object.values(sources).filter(({ ok, error }) => ok && error !== null).length;
  const state = failed === 0 ? 'all ok' : `${failed} of ${Object.keys(sources).length} failed`;
  const fold = remarks === 0 ? state : `${state}, ${plural(remarks, 'remark')}`;
  const ordered = Object.entries(sources).toSorted(([a], [b]) => a.localeCompare(b));
  return (
    <DetailTable
      title="Agent sources"
      note={agentText(agent)}
      fold={fold}
      columns={COLUMNS}
      subject={subject}
      exported={() => sourcesExport(ordered)}
    >
      {ordered.map(([name, health]) => (
        <Row key={name} name={name} health={health} />
      ))}
    </DetailTable>
  );
}
