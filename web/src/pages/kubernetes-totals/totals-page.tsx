import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TableSortLabel from '@mui/material/TableSortLabel';
import { OWNER_SORTS } from '@plimsoll/contract/rules/kubernetes-limits';
import type { OwnerGrouping, OwnerSort } from '@plimsoll/contract/rules/kubernetes-limits';
import type { PodOwner } from '@plimsoll/contract/wire/kubernetes';
import { clusterOverviewQuery, clustersQuery, ownersQuery } from '../../api/kubernetes.ts';
import { useEveryRow } from '../../api/every-row.ts';
import { useQuery } from '../../api/query.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText, plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link, useSearchParams } from '../../router.ts';
import { Chip } from '../../components/chips.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Toolbar, ToolbarEnd } from '../../components/form/toolbar.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { ExportButton } from '../../components/export/export-button.tsx';
import { ownersExport } from '../../components/kubernetes/cluster-exports.ts';
import { ClusterSelect } from '../../components/kubernetes/cluster-select.tsx';
import { coresText, megabytesQuantity } from '../../components/kubernetes/kubernetes-words.ts';
import { KubernetesSection, useClusterId } from '../../components/kubernetes/section.tsx';
import { NotAvailable } from '../../components/kubernetes/usage.tsx';

const PAGE_ROWS = 100;

const Scroll = styled('div')(({ theme }) => ({
  overflowX: 'auto',
  '& td, & th': { padding: '6px 10px' },
  '& td:first-of-type, & th:first-of-type': { paddingLeft: 16 },
  '& td:first-of-type': { overflowWrap: 'anywhere' },
  '& .number': { textAlign: 'right', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  '& small': { display: 'block', fontSize: 11, lineHeight: '14px', color: theme.vars.palette.load.text3 },
  '& th i': { fontStyle: 'normal', marginLeft: 3, color: theme.vars.palette.load.text3 },
  '& a': { fontWeight: 600 },
  [theme.breakpoints.down('md')]: {
    '& thead': { position: 'absolute', clipPath: 'inset(50%)', width: 1, height: 1, overflow: 'hidden' },
    '& table, & tbody, & tbody tr': { display: 'block' },
    '& tbody tr': { padding: '8px 4px', borderBottom: `1px solid ${theme.vars.palette.divider}` },
    '& td, & td:first-of-type': { display: 'block', height: 'auto', border: 0, padding: '2px 12px' },
    '& td[data-name]': { display: 'grid', gridTemplateColumns: '96px minmax(0, 1fr)', textAlign: 'left' },
    '& td[data-name]::before': { content: 'attr(data-name)', color: theme.vars.palette.text.secondary },
    '& td[data-name] > small': { gridColumn: 2 },
    '& td a': { display: 'inline-block', padding: '10px 0' },
  },
}));

const WORDS = {
  namespace: { title: 'Kubernetes Namespaces', crumb: 'Namespaces', one: 'namespace', empty: 'No namespaces found' },
  owner: { title: 'Kubernetes Workloads', crumb: 'Workloads', one: 'workload', empty: 'No workloads found' },
} as const;

interface Column {
  label: string;
  unit?: string;
  sort: OwnerSort | null;
}
const columnsOf = (by: OwnerGrouping): Column[] => [
  by === 'namespace' ? { label: 'Namespace', sort: 'namespace' } : { label: 'Workload', sort: 'name' },
  ...(by === 'owner' ? [{ label: 'Namespace', sort: 'namespace' } as const] : []),
  { label: 'Pods', sort: 'pods' },
  { label: 'CPU', unit: 'cores', sort: 'cpu' },
  { label: 'CPU requested', unit: 'cores', sort: null },
  { label: 'CPU limit', unit: 'cores', sort: null },
  { label: 'Memory', unit: 'MB', sort: 'memory' },
  { label: 'Memory requested', unit: 'MB', sort: null },
  { label: 'Memory limit', unit: 'MB', sort: null },
  { label: 'Restarts 24 h', sort: 'restarts_24h' },
];

/** Address of the pods that a row sums. */
function podsOf(row: PodOwner, by: OwnerGrouping, cluster: string | null): string {
  const search = new URLSearchParams({ ...(cluster === null ? {} : { cluster }), namespace: row.namespace });
  if (by === 'owner') search.set('owner', row.owner_kind ?? 'none');
  if (row.owner_name !== null) search.set('search', row.owner_name);
  return `${paths.kubernetesPods}?${search.toString()}`;
}

const broken = ({ phases }: PodOwner) => phases.Failed + phases.Unknown;

function PodsCell({ row }: { row: PodOwner }) {
  const { desired, ready, phases } = row;
  return (
    <TableCell className="number" data-name="Pods">
      {desired === null || ready === null ? numberText(row.pods) : `${ready} / ${desired} ready`}
      {desired !== null && ready !== null && ready < desired && (
        <small>
          <Chip tone="near">{desired - ready} missing</Chip>
        </small>
      )}
      {broken(row) > 0 && (
        <small>
          <Chip tone="over">{broken(row)} broken</Chip>
        </small>
      )}
      {phases.Pending > 0 && <small>{phases.Pending} pending</small>}
    </TableCell>
  );
}

/** The head says MB; more than four digits of it say GB themselves. */
function memoryText(megabytes: number | null): string | null {
  const { value, unit } = megabytesQuantity(megabytes);
  return value === null || unit === 'MB' ? value : `${value} ${unit}`;
}

/** A sum; "none set" where no pod has such an amount, and how many have none where some have. */
function AmountCell({ name, text, without = 0 }: { name: string; text: string | null; without?: number }) {
  return (
    <TableCell className="number" data-name={name}>
      {text ?? 'none set'}
      {text !== null && without > 0 && <small>{plural(without, 'pod')} without</small>}
    </TableCell>
  );
}

function Row({ row, by, cluster }: { row: PodOwner; by: OwnerGrouping; cluster: string | null }) {
  const usage = (text: string | null) => text ?? <NotAvailable reason="no pod of these has reported its usage" />;
  return (
    <TableRow>
      <TableCell>
        <Link to={podsOf(row, by, cluster)}>
          {escapeInvisible(by === 'namespace' ? row.namespace : (row.owner_name ?? 'Pods without an owner'))}
        </Link>
        {by === 'owner' && row.owner_kind !== null && <small>{escapeInvisible(row.owner_kind)}</small>}
      </TableCell>
      {by === 'owner' && <TableCell data-name="Namespace">{escapeInvisible(row.namespace)}</TableCell>}
      <PodsCell row={row} />
      <TableCell className="number" data-name="CPU">
        {usage(coresText(row.cpu_usage_cores))}
      </TableCell>
      <AmountCell name="CPU req." text={coresText(row.requests.cpu_cores)} />
      <AmountCell name="CPU limit" text={coresText(row.limits.cpu_cores)} without={row.without_cpu_limit} />
      <TableCell className="number" data-name="Memory">
        {usage(memoryText(row.memory_usage_mb))}
      </TableCell>
      <AmountCell name="Memory req." text={memoryText(row.requests.memory_mb)} />
      <AmountCell name="Memory limit" text={memoryText(row.limits.memory_mb)} without={row.without_memory_limit} />
      <TableCell className="number" data-name="Restarts">
        {numberText(row.restarts_24h)}
      </TableCell>
    </TableRow>
  );
}

/** Sort and page, kept in the address. */
function useTotalsView(by: OwnerGrouping) {
  const [search, setSearch] = useSearchParams();
  const offset = Number(search.get('offset') ?? 0);
  const set = (values: Record<string, string>) =>
    setSearch((before) => new URLSearchParams({ ...Object.fromEntries(before), ...values }));
  return {
    sort: OWNER_SORTS.find((sort) => sort === search.get('sort')) ?? (by === 'namespace' ? 'cpu' : 'restarts_24h'),
    order: search.get('order') === 'asc' ? ('asc' as const) : ('desc' as const),
    offset: Number.isInteger(offset) && offset > 0 ? offset : 0,
    onSort: (sort: OwnerSort, order: 'asc' | 'desc') => set({ sort, order, offset: '0' }),
    onOffset: (next: number) => set({ offset: String(next) }),
  };
}

/** Sums over namespaces or workloads: pods, usage beside requests and limits, restarts. A row leads to its pods. */
export function TotalsPage({ by }: { by: OwnerGrouping }) {
  const cluster = useClusterId();
  const { sort, order, offset, onSort, onOffset } = useTotalsView(by);
  const inCluster = cluster === null ? {} : { cluster_id: cluster };
  const query = { ...inCluster, by, sort, order };
  const asked = useQuery(ownersQuery({ ...query, offset, limit: PAGE_ROWS }));
  const everyOwner = useEveryRow(
    (page) => ownersQuery({ ...query, ...page }),
    ({ owners, total }) => ({ rows: owners, total }),
  );
  const overview = useQuery(clusterOverviewQuery(cluster));
  const clusters = useQuery(clustersQuery()).data?.clusters ?? [];
  const words = WORDS[by];
  const answer = asked.data;
  return (
    <KubernetesSection
      tab={null}
      crumbs={[{ label: 'Kubernetes', to: paths.kubernetes }, { label: words.crumb }]}
      title={words.title}
      sentence={answer === undefined ? 'Usage beside requests and limits' : plural(answer.total, words.one)}
      overview={overview}
    >
      <Toolbar>
        <ClusterSelect clusters={clusters} />
        <ToolbarEnd>
          <ExportButton
            holds={[words.crumb]}
            table={async () => ownersExport(await everyOwner())}
            disabled={(answer?.total ?? 0) === 0}
            labelled
          />
        </ToolbarEnd>
      </Toolbar>
      <Panel>
        <Failure asked={asked} />
        {asked.isPending && <RowsSkeleton rows={8} height={40} />}
        {answer?.owners.length === 0 && <EmptyState sentence={words.empty} />}
        {answer !== undefined && answer.owners.length > 0 && (
          <Scroll tabIndex={0} role="region" aria-label={words.title}>
            <Table aria-label={words.crumb}>
              <TableHead>
                <TableRow>
                  {columnsOf(by).map(({ label, unit, sort: column }, index) => (
                    <TableCell
                      key={label}
                      className={index === 0 || label === 'Namespace' ? undefined : 'number'}
                      aria-sort={column !== sort ? undefined : order === 'asc' ? 'ascending' : 'descending'}
                    >
                      {column === null ? (
                        label
                      ) : (
                        <TableSortLabel
                          active={column === sort}
                          direction={column === sort ? order : 'desc'}
                          onClick={() => onSort(column, column === sort && order === 'desc' ? 'asc' : 'desc')}
                        >
                          {label}
                        </TableSortLabel>
                      )}
                      {unit !== undefined && <i>{unit}</i>}
                    </TableCell>
                  ))}
                </TableRow>
              </TableHead>
              <TableBody>
                {answer.owners.map((row) => (
                  <Row
                    key={`${row.cluster_id} ${row.namespace} ${row.owner_kind} ${row.owner_name}`}
                    row={row}
                    by={by}
                    cluster={cluster}
                  />
                ))}
              </TableBody>
            </Table>
          </Scroll>
        )}
        {answer !== undefined && answer.total > PAGE_ROWS && (
          <Pager offset={offset} limit={PAGE_ROWS} total={answer.total} onOffset={onOffset} />
        )}
      </Panel>
    </KubernetesSection>
  );
}
