import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { Container } from '@plimsoll/contract/wire/containers';
import { Age } from '../../components/age.tsx';
import { MiddleTruncate } from '../../components/middle-truncate.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { momentMs } from '../../time/age.ts';
import { ContainerHeadroom, CpuCores, CpuHistory, MemoryUse, StateChip } from './container-parts.tsx';
import { isLate, nameOf, restartsOf } from './container-words.ts';

const Scroll = styled('div')(({ theme }) => ({
  minWidth: 0,
  containerType: 'inline-size',
  // Fixed columns: the names take the room that is left and shorten in their middle, nothing leaves the panel.
  '& table': { tableLayout: 'fixed' },
  '& td, & th': { padding: '0 8px' },
  '& th:first-of-type, & thead td:first-of-type': { paddingLeft: 16 },
  '& td:last-of-type, & th:last-of-type': { paddingRight: 16 },
  '& .host': { width: 132 },
  '& .state': { width: 124 },
  '& .headroom': { width: 152 },
  '& .cpu': { width: 136 },
  '& .cpu > span': { display: 'flex', alignItems: 'center', justifyContent: 'flex-end', gap: 12 },
  '& .memory': { width: 204 },
  '& .restarts': { width: 76 },
  '& .project': { width: 92, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& .since': { width: 84 },
  '& .number': { textAlign: 'right', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  '& th i': { fontStyle: 'normal', marginLeft: 3, color: theme.vars.palette.load.text3 },
  '& tbody th': { fontWeight: 600 },
  '& .quiet, & tr[data-late] td, & tr[data-late] th': { color: theme.vars.palette.load.text3 },
  '& tbody tr:hover': {
    backgroundColor: theme.vars.palette.action.selected,
    '--row': theme.vars.palette.action.selected,
  },
  '& .restarts[data-many]': { color: theme.vars.palette.load.overText, fontWeight: 600 },
  '@container (max-width: 1330px)': { '& .project': { display: 'none' } },
  '@container (max-width: 1080px)': { '& .since': { display: 'none' } },
  '@container (max-width: 980px)': { '& .image': { display: 'none' } },
  '@container (max-width: 860px)': { '& .headroom': { display: 'none' } },
}));

/** One N/A says it for both figures. */
const hasNoCpu = ({ cpu_cores: cores, cpu_history: history }: Container): boolean => cores === null && history === null;

/** Restarts from which the count is red: as many in an hour make an alert. */
const MANY_RESTARTS = 5;

function Row({ container }: { container: Container }) {
  const restarts = restartsOf(container);
  const name = escapeInvisible(nameOf(container));
  return (
    <TableRow data-late={isLate(container) ? '' : undefined}>
      <TableCell component="th" scope="row" title={escapeInvisible(container.id)}>
        <MiddleTruncate text={name} />
      </TableCell>
      <TableCell className="host">
        <Link to={paths.server(container.server_id)}>
          <MiddleTruncate text={escapeInvisible(container.hostname)} />
        </Link>
      </TableCell>
      <TableCell className="image quiet">
        {container.image === null ? 'not known' : <MiddleTruncate text={escapeInvisible(container.image)} tail={10} />}
      </TableCell>
      <TableCell className="state">
        <StateChip container={container} />
      </TableCell>
      <TableCell className="headroom">
        <ContainerHeadroom container={container} />
      </TableCell>
      <TableCell className="number cpu">
        <span>
          {!hasNoCpu(container) && <CpuHistory container={container} />}
          <CpuCores container={container} />
        </span>
      </TableCell>
      <TableCell className="memory">
        <MemoryUse container={container} />
      </TableCell>
      <TableCell
        className="number restarts"
        title={restarts.title}
        data-many={container.restarts_last_hour >= MANY_RESTARTS ? '' : undefined}
      >
        {restarts.count}
      </TableCell>
      <TableCell className="project quiet">{escapeInvisible(container.project ?? 'none')}</TableCell>
      <TableCell className="number since">
        {isLate(container) ? (
          <Age at={momentMs(container.sampled_at)} suffix="" />
        ) : (
          <Age at={container.since === null ? null : container.since * 1000} suffix="" never="N/A" />
        )}
      </TableCell>
    </TableRow>
  );
}

/** Containers of all hosts as rows in the order of the answer. */
export function ContainersTable({ containers }: { containers: readonly Container[] }) {
  return (
    <Scroll>
      <Table aria-label="Containers">
        <TableHead>
          <TableRow>
            <TableCell>Container</TableCell>
            <TableCell className="host">Host</TableCell>
            <TableCell className="image">Image</TableCell>
            <TableCell className="state">State</TableCell>
            <TableCell className="headroom">Headroom</TableCell>
            <TableCell className="number cpu">
              CPU<i>24 h, cores</i>
            </TableCell>
            <TableCell className="memory">
              Memory of its limit<i>MB</i>
            </TableCell>
            <TableCell className="number restarts">Restarts</TableCell>
            <TableCell className="project">Compose</TableCell>
            <TableCell className="number since">Since</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {containers.map((container) => (
            <Row key={`${container.server_id}/${container.id}`} container={container} />
          ))}
        </TableBody>
      </Table>
    </Scroll>
  );
}
