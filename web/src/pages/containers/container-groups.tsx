import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { ContainerGrouping } from '@plimsoll/contract/rules/container-states';
import type { ContainerGroup, ContainerGroupsAnswer } from '@plimsoll/contract/wire/containers';
import type { Asked } from '../../api/query.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Figure } from '../../components/figure.tsx';
import { MiddleTruncate } from '../../components/middle-truncate.tsx';
import { Panel } from '../../components/panel.tsx';
import { BandIcon } from '../../components/status-icons.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { bytesQuantity, numberText, plural } from '../../format/figures.ts';
import { Link } from '../../router.ts';

const Groups = styled('div')(({ theme }) => ({
  minWidth: 0,
  containerType: 'inline-size',
  '& table': { tableLayout: 'fixed' },
  '& td, & th': { padding: '0 8px' },
  '& th:first-of-type, & thead td:first-of-type': { paddingLeft: 16 },
  '& td:last-of-type, & thead td:last-of-type': { paddingRight: 16 },
  '& .number': { width: 104, textAlign: 'right', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  '& .words': { width: 260 },
  '& .words > span': { display: 'flex', gap: 6, alignItems: 'center', whiteSpace: 'nowrap' },
  '& [data-band="over"]': { color: theme.vars.palette.load.overText },
  '& [data-band="near"]': { color: theme.vars.palette.load.nearText },
  '& .quiet': { color: theme.vars.palette.load.text3 },
  '& p': { ...theme.typography.caption, margin: 0, padding: '8px 16px', color: theme.vars.palette.load.text3 },
  '@container (max-width: 760px)': { '& .wide': { display: 'none' }, '& .words': { width: 150 } },
  '@container (max-width: 460px)': { '& .running': { display: 'none' }, '& .number': { width: 88 } },
}));

/** "2 broken, 1 over its line": the worst, or what keeps it from being known. */
function wordsOf({ broken, over_line: over, near_line: near, containers, late }: ContainerGroup): {
  band: 'over' | 'near' | 'ok';
  text: string;
} {
  const parts = [
    ...(broken > 0 ? [`${numberText(broken)} broken`] : []),
    ...(over > 0 ? [`${numberText(over)} over the line`] : []),
  ];
  if (parts.length > 0) return { band: 'over', text: parts.join(', ') };
  if (near > 0) return { band: 'near', text: `${numberText(near)} within 20 points` };
  return { band: 'ok', text: late === containers ? 'no report' : 'none broken' };
}

function Row({ group, searchOf }: { group: ContainerGroup; searchOf: (key: string) => string }) {
  const memory = group.memory_bytes === null ? null : bytesQuantity(group.memory_bytes);
  const { band, text } = wordsOf(group);
  return (
    <TableRow hover>
      <TableCell component="th" scope="row">
        <Link to={{ search: searchOf(group.key) }}>
          <MiddleTruncate text={escapeInvisible(group.name)} tail={12} />
        </Link>
      </TableCell>
      <TableCell className="words" data-band={band}>
        <span className={band === 'ok' ? 'quiet' : undefined}>
          <BandIcon band={band} />
          {text}
        </span>
      </TableCell>
      <TableCell className="number">{numberText(group.containers)}</TableCell>
      <TableCell className="number running">{numberText(group.running)}</TableCell>
      <TableCell className="number wide">{numberText(group.restarts_last_hour)}</TableCell>
      <TableCell className="number wide">
        <Figure value={group.cpu_cores === null ? null : numberText(group.cpu_cores, 2)} />
      </TableCell>
      <TableCell className="number wide">
        {memory === null ? <Figure value={null} /> : <Figure value={memory.value} unit={memory.unit} />}
      </TableCell>
    </TableRow>
  );
}

interface ContainerGroupsProps {
  asked: Asked<ContainerGroupsAnswer>;
  by: ContainerGrouping;
  search: string;
  /** Returns the query string of the list with the containers of one group. */
  searchOf: (key: string) => string;
}
const HEADS = { host: 'Host', image: 'Image', project: 'Compose' } as const;

/** One row for each host or image, the one with the most broken containers first. */
export function ContainerGroups({ asked, by, search, searchOf }: ContainerGroupsProps) {
  const list = asked.data?.[by];
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = (list?.groups ?? []).filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  return (
    <>
      <Failure asked={asked} />
      <Panel>
        {asked.isPending && <RowsSkeleton rows={10} height={40} />}
        {list !== undefined && groups.length === 0 && <EmptyState sentence="No containers match your filters" />}
        {list !== undefined && groups.length > 0 && (
          <Groups>
            <Table aria-label={`Containers by ${by}`}>
              <TableHead>
                <TableRow>
                  <TableCell>{HEADS[by]}</TableCell>
                  <TableCell className="words">State</TableCell>
                  <TableCell className="number">Containers</TableCell>
                  <TableCell className="number running">Running</TableCell>
                  <TableCell className="number wide">Restarts 1 h</TableCell>
                  <TableCell className="number wide">CPU cores</TableCell>
                  <TableCell className="number wide">Memory</TableCell>
                </TableRow>
              </TableHead>
              <TableBody>
                {groups.map((group) => (
                  <Row key={group.key} group={group} searchOf={searchOf} />
                ))}
              </TableBody>
            </Table>
            <p>
              {plural(list.total, by === 'host' ? 'host' : 'group')}, the most broken first.
              {list.ungrouped > 0 && ` ${plural(list.ungrouped, 'container')} without a known ${by}.`}
              {list.total > list.groups.length && ` The first ${numberText(list.groups.length)} are listed.`}
            </p>
          </Groups>
        )}
      </Panel>
    </>
  );
}
