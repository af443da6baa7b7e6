import type { ReactNode } from 'react';
import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TableSortLabel from '@mui/material/TableSortLabel';
import useMediaQuery from '@mui/material/useMediaQuery';
import { OWNER_SORTS } from '@plimsoll/contract/rules/kubernetes-limits';
import type { OwnerGrouping, OwnerSort } from '@plimsoll/contract/rules/kubernetes-limits';
import type { PodsSummary } from '@plimsoll/contract/wire/kubernetes';
import { useClusterMoment } from '../../api/cluster-moment.ts';
import { clusterOverviewQuery, clustersQuery, ownersQuery } from '../../api/kubernetes.ts';
import { useEveryRow } from '../../api/every-row.ts';
import { useQuery } from '../../api/query.ts';
import { plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { useAddressFilters } from '../../state/address-filters.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { SearchField } from '../../components/form/search-field.tsx';
import { Filter, Toolbar, ToolbarEnd } from '../../components/form/toolbar.tsx';
import { useTyped } from '../../components/form/use-typed.ts';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { ExportButton } from '../../components/export/export-button.tsx';
import { ownersExport } from '../../components/kubernetes/cluster-exports.ts';
import { useClusterNames } from '../../api/cluster-names.ts';
import { ClusterSelect } from '../../components/kubernetes/cluster-select.tsx';
import { KubernetesSection, useClusterId } from '../../components/kubernetes/section.tsx';
import { TotalsRow } from './totals-row.tsx';

const PAGE_ROWS = 100;
/** A row of a phone is four times as high. */
const PHONE_ROWS = 20;

const Scroll = styled('div')(({ theme }) => ({
  overflowX: 'auto',
  '& td, & th': { padding: '6px 10px' },
  '& td:first-of-type, & th:first-of-type': { paddingLeft: 16 },
  '& td:first-of-type, & td[data-name="Namespace"]': { minWidth: 112, overflowWrap: 'anywhere', whiteSpace: 'normal' },
  // A word of 16 letters, as many names have, is not broken.
  '& td:first-of-type': { minWidth: 158 },
  '& .number': { textAlign: 'right', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  '& small': {
    display: 'block',
    whiteSpace: 'normal',
    fontSize: 11,
    lineHeight: '14px',
    color: theme.vars.palette.load.text3,
  },
  // Ten columns fit beside the open sidebar only with heads of two lines.
  '& th, & th.number': { whiteSpace: 'normal', verticalAlign: 'bottom' },
  // The arrow stands left of a number's head, or the head would not end where its numbers end.
  '& th.number .MuiTableSortLabel-root': { flexDirection: 'row-reverse' },
  '& th i': { fontStyle: 'normal', marginLeft: 3, color: theme.vars.palette.load.text3 },
  '& a': { fontWeight: 600 },
  '& .unit': { fontSize: '.85em', color: theme.vars.palette.load.text3 },
  '& .bar': { display: 'block', width: 64, margin: '6px 0 5px auto' },
  // A row of a phone: name and pods, then usage, requests and limits side by side, each under its name.
  [theme.breakpoints.down('md')]: {
    '& thead': { position: 'absolute', clipPath: 'inset(50%)', width: 1, height: 1, overflow: 'hidden' },
    '& table, & tbody': { display: 'block' },
    '& tbody tr': {
      display: 'grid',
      gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
      gap: '4px 12px',
      padding: '4px 12px 8px',
      borderBottom: `1px solid ${theme.vars.palette.divider}`,
    },
    '& td, & td:first-of-type': { display: 'block', minWidth: 0, height: 'auto', border: 0, padding: 0 },
    '& td:first-of-type, & td[data-name="Namespace"]': { gridColumn: 'span 2' },
    '& td[data-name]': { textAlign: 'left', whiteSpace: 'normal' },
    '& td[data-name]::before': {
      content: 'attr(data-name)',
      display: 'block',
      fontSize: 11,
      lineHeight: '14px',
      color: theme.vars.palette.text.secondary,
    },
    '&[data-by="owner"] td[data-name^="Restarts"]': { gridColumn: 3, gridRow: 1, paddingTop: '10px' },
    '&[data-by="namespace"] td[data-name="Pods"]': { paddingTop: '10px' },
    '& .bar': { margin: '2px 0 0' },
    '& td:first-of-type a': { display: 'inline-block', padding: '10px 0 4px' },
  },
}));

const WORDS = {
  namespace: { title: 'Kubernetes Namespaces', crumb: 'Namespaces', one: 'namespace', empty: 'No namespaces found' },
  owner: { title: 'Kubernetes Workloads', crumb: 'Workloads', one: 'workload', empty: 'No workloads found' },
} as const;

interface Column {
  label: string;
  sort: OwnerSort | null;
}
const columnsOf = (by: OwnerGrouping): Column[] => [
  by === 'namespace' ? { label: 'Namespace', sort: 'namespace' } : { label: 'Workload', sort: 'name' },
  ...(by === 'owner' ? [{ label: 'Namespace', sort: 'namespace' } as const] : []),
  { label: 'Pods', sort: 'pods' },
  { label: 'CPU', sort: 'cpu' },
  { label: 'CPU requested', sort: null },
  { label: 'CPU limit', sort: null },
  { label: 'Memory', sort: 'memory' },
  { label: 'Memory requested', sort: null },
  { label: 'Memory limit', sort: null },
  { label: 'Restarts 24\u00a0h', sort: 'restarts_24h' },
];

/** Sort, filters and page, kept in the address. */
function useTotalsView(by: OwnerGrouping) {
  const { values, chosen, offset, set } = useAddressFilters(['search', 'namespace', 'owner', 'sort', 'order']);
  const { search, namespace, owner } = chosen;
  return {
    values,
    filters: {
      ...(search === undefined ? {} : { search }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(owner === undefined || by === 'namespace' ? {} : { owner_kind: owner }),
    },
    sort: OWNER_SORTS.find((sort) => sort === values.sort) ?? (by === 'namespace' ? 'cpu' : 'restarts_24h'),
    order: values.order === 'asc' ? ('asc' as const) : ('desc' as const),
    offset,
    onSort: (sort: OwnerSort, order: 'asc' | 'desc') => set({ sort, order }),
    onOffset: (next: number) => set({ offset: String(next) }),
    set,
  };
}

const named = (values: readonly string[], chosen: string) => [
  { value: '', label: 'All' },
  ...[...new Set([...values, ...(chosen === '' ? [] : [chosen])])].map((value) => ({ value, label: value })),
];

interface TotalsTableProps {
  by: OwnerGrouping;
  sort: OwnerSort;
  order: 'asc' | 'desc';
  onSort: (sort: OwnerSort, order: 'asc' | 'desc') => void;
  children: ReactNode;
}

/** A press on the sorted column turns its order around. */
function TotalsTable({ by, sort, order, onSort, children }: TotalsTableProps) {
  const { title, crumb } = WORDS[by];
  return (
    <Scroll tabIndex={0} role="region" aria-label={title} data-by={by}>
      <Table aria-label={crumb}>
        <TableHead>
          <TableRow>
            {columnsOf(by).map(({ label, sort: column }, index) => (
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
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>{children} </TableBody>
      </Table>
    </Scroll>
  );
}

type View = Pick<ReturnType<typeof useTotalsView>, 'values' | 'set'>;
function WorkloadFilters({ values, summary, set }: View & { summary: PodsSummary | undefined }) {
  return (
    <>
      <Filter
        label="Namespace"
        value={values.namespace}
        options={named(summary?.namespace_names ?? [], values.namespace)}
        onChange={(namespace) => set({ namespace })}
      />
      <Filter
        label="Kind"
        value={values.owner}
        options={named(summary?.owner_kinds ?? [], values.owner)}
        onChange={(owner) => set({ owner })}
      />
    </>
  );
}

/** Sums over namespaces or workloads: pods, usage beside requests and limits, restarts. A row leads to its pods. */
export function TotalsPage({ by }: { by: OwnerGrouping }) {
  const cluster = useClusterId();
  const { values, filters, sort, order, offset, onSort, onOffset, set } = useTotalsView(by);
  const [typed, setTyped] = useTyped(values.search, (search) => set({ search }));
  const limit = useMediaQuery('(max-width: 899.95px)') ? PHONE_ROWS : PAGE_ROWS;
  const inCluster = cluster === null ? {} : { cluster_id: cluster };
  const query = { ...inCluster, ...filters, by, sort, order };
  const asked = useQuery(ownersQuery({ ...query, offset, limit }));
  const everyOwner = useEveryRow(
    (page) => ownersQuery({ ...query, ...page }),
    ({ owners, total }) => ({ rows: owners, total }),
  );
  const overview = useQuery(clusterOverviewQuery(cluster));
  const clusters = useQuery(clustersQuery()).data?.clusters ?? [];
  const clusterName = useClusterNames(cluster);
  const words = WORDS[by];
  const answer = asked.data;
  const moment = useClusterMoment(cluster);
  return (
    <KubernetesSection
      tab={by === 'owner' ? 'workloads' : 'namespaces'}
      crumbs={[{ label: 'Kubernetes', to: paths.kubernetes }, { label: words.crumb }]}
      title={words.title}
      sentence={answer === undefined ? 'Usage beside requests and limits' : plural(answer.total, words.one)}
      overview={overview}
      moment={moment}
    >
      <Toolbar>
        <SearchField label={`Search ${words.crumb.toLowerCase()}`} value={typed} onChange={setTyped} />
        <ClusterSelect clusters={clusters} />
        {by === 'owner' && <WorkloadFilters values={values} summary={overview.data?.summary} set={set} />}
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
        {answer?.owners.length === 0 && (
          <EmptyState
            sentence={Object.keys(filters).length > 0 ? `No ${words.one} matches your filters` : words.empty}
          />
        )}
        {answer !== undefined && answer.owners.length > 0 && (
          <TotalsTable by={by} sort={sort} order={order} onSort={onSort}>
            {answer.owners.map((row) => (
              <TotalsRow
                key={`${row.cluster_id} ${row.namespace} ${row.owner_kind} ${row.owner_name}`}
                row={row}
                by={by}
                cluster={cluster}
                clusterName={clusterName(row.cluster_id)}
              />
            ))}
          </TotalsTable>
        )}
        {answer !== undefined && answer.total > limit && (
          <Pager offset={offset} limit={limit} total={answer.total} onOffset={onOffset} />
        )}
      </Panel>
    </KubernetesSection>
  );
}
