import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { IdleServersAnswer } from '@plimsoll/contract/wire/idle-servers';
import { idleServersQuery } from '../../api/capacity.ts';
import { useQuery } from '../../api/query.ts';
import { Age } from '../../components/age.tsx';
import { bytesWords, coresWords } from '../../components/capacity/capacity-words.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Figure } from '../../components/figure.tsx';
import { Panel } from '../../components/panel.tsx';
import { BandIcon } from '../../components/status-icons.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText, plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { momentMs } from '../../time/age.ts';

const Scroll = styled('div')(({ theme }) => ({
  overflowX: 'auto',
  '& td, & th': { padding: '6px 10px', whiteSpace: 'nowrap' },
  '& td:first-of-type, & th:first-of-type': { paddingLeft: 16 },
  '& .number': { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
  '& .words': { whiteSpace: 'normal', minWidth: 200, overflowWrap: 'anywhere' },
  '& td > svg': { marginRight: 6 },
  '& a': { fontWeight: 600 },
  [theme.breakpoints.down('md')]: {
    '& thead': { position: 'absolute', clipPath: 'inset(50%)', width: 1, height: 1, overflow: 'hidden' },
    '& table, & tbody': { display: 'block' },
    '& tbody tr': {
      display: 'grid',
      gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
      gap: '4px 12px',
      padding: '8px 16px',
      borderBottom: `1px solid ${theme.vars.palette.divider}`,
    },
    '& td, & td.number, & td:first-of-type': {
      display: 'block',
      height: 'auto',
      minWidth: 0,
      border: 0,
      padding: 0,
      textAlign: 'left',
      whiteSpace: 'normal',
    },
    '& td:first-of-type, & td.words': { gridColumn: '1 / -1' },
    '& td:first-of-type a': { display: 'inline-block', padding: '10px 0 4px' },
    '& td[data-name]::before': {
      content: 'attr(data-name)',
      display: 'block',
      fontSize: 11,
      lineHeight: '14px',
      color: theme.vars.palette.text.secondary,
    },
  },
}));
const Below = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: 0,
  padding: '8px 16px',
  color: theme.vars.palette.load.text3,
  overflowWrap: 'anywhere',
}));

const SHOWN = 20;
/** Servers without an answer that the line below names. */
const NAMED = 3;

/** Servers that nobody needs, with the connections that speak against it. */
export function GiveBack() {
  const asked = useQuery(idleServersQuery(SHOWN));
  const answer = asked.data;
  const computedAt = answer?.computed_at == null ? null : momentMs(answer.computed_at);
  return (
    <Panel
      title="Can be given back"
      note={`CPU below 5 % and memory below 20 % for ${plural(answer?.days ?? 14, 'day')}, no growth`}
      actions={computedAt === null ? undefined : <Age at={computedAt} prefix="Computed " />}
    >
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={3} height={36} />}
      {answer !== undefined && answer.servers.length === 0 && <Nothing answer={answer} />}
      {answer !== undefined && answer.servers.length > 0 && <Spare servers={answer.servers} />}
      {answer !== undefined && answer.judged > 0 && (
        <Below>
          {plural(answer.total, 'server')} of {numberText(answer.judged)}
          {answer.total > answer.servers.length && `, the first ${String(answer.servers.length)} are shown`}.
          {answer.unknown_total > 0 && ` N/A: ${unknownWords(answer)}`}
        </Below>
      )}
    </Panel>
  );
}

function Nothing({ answer: { judged, unknown_total: unknown } }: { answer: IdleServersAnswer }) {
  if (judged === 0) return <EmptyState sentence="No server to judge" reason="Nodes of clusters are not judged here." />;
  if (unknown === judged)
    return <EmptyState sentence="N/A" reason="No server has two weeks of figures yet, or none reports now." />;
  return <EmptyState sentence="Nothing to give back" reason="Every server that could be judged is used." />;
}

/** "old-01: Its use is known for 3 of 14 days; an answer needs two weeks. 4 more servers." */
function unknownWords({ unknown, unknown_total: total }: IdleServersAnswer): string {
  const named = unknown.slice(0, NAMED);
  const rest = total - named.length;
  return [
    ...named.map(({ hostname, reason }) => `${escapeInvisible(hostname)}: ${reason}`),
    ...(rest > 0 ? [`${plural(rest, 'more server')}.`] : []),
  ].join(' ');
}

function Spare({ servers }: { servers: IdleServersAnswer['servers'] }) {
  return (
    <Scroll tabIndex={0} role="region" aria-label="Servers that can be given back">
      <Table aria-label="Servers that can be given back">
        <TableHead>
          <TableRow>
            <TableCell>Server</TableCell>
            <TableCell className="number">Size</TableCell>
            <TableCell className="number">CPU p95</TableCell>
            <TableCell className="number">Memory max</TableCell>
            <TableCell className="number">Connections, mean and max</TableCell>
            <TableCell>Against it</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {servers.map((one) => (
            <TableRow key={one.server_id}>
              <TableCell>
                <Link to={paths.server(one.server_id)}>{escapeInvisible(one.hostname)}</Link>
              </TableCell>
              <TableCell data-name="Size" className="number">
                {coresWords(one.cores) ?? 'cores N/A'} · {bytesWords(one.memory_bytes) ?? 'memory N/A'}
              </TableCell>
              <TableCell data-name="CPU p95" className="number">
                <Figure value={numberText(one.cpu_percent_p95, 1)} unit="%" />
              </TableCell>
              <TableCell data-name="Memory max" className="number">
                <Figure value={numberText(one.memory_percent_max, 1)} unit="%" />
              </TableCell>
              <TableCell data-name="Connections, mean and max" className="number">
                <Figure value={numberText(one.connections_mean, 1)} /> ·{' '}
                <Figure value={numberText(one.connections_max)} />
              </TableCell>
              <TableCell data-name="Against it" className="words">
                {one.is_connected && <BandIcon band="near" />} {one.reason ?? 'nothing that Plimsoll sees'}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Scroll>
  );
}
