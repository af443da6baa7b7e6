import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import { percentOf } from '@plimsoll/contract/rules/percent-of';
import type { OwnerGrouping } from '@plimsoll/contract/rules/kubernetes-limits';
import type { PodOwner } from '@plimsoll/contract/wire/kubernetes';
import { Chip } from '../../components/chips.tsx';
import { CapacityBar } from '../../components/fleet/capacity-bar.tsx';
import { WHY_NO_USE } from '../../components/kubernetes/amount-bar.tsx';
import { coresText, percentText, sumMemoryText, USAGE_LINE } from '../../components/kubernetes/kubernetes-words.ts';
import { NotAvailable } from '../../components/kubernetes/usage.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText, plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

/** Address of the pods that a row sums. */
function podsOf(row: PodOwner, by: OwnerGrouping, cluster: string | null): string {
  const search = new URLSearchParams({ ...(cluster === null ? {} : { cluster }), namespace: row.namespace });
  if (by === 'owner') search.set('owner', row.owner_kind ?? 'none');
  if (row.owner_name !== null) search.set('search', row.owner_name);
  return `${paths.kubernetesPods}?${search.toString()}`;
}

/** A workload has a page of its own; a namespace and pods without an owner lead to their pods. */
function pageOf(row: PodOwner, by: OwnerGrouping, cluster: string | null): string {
  const { cluster_id, namespace, owner_kind, owner_name } = row;
  if (by === 'namespace' || owner_kind === null || owner_name === null) return podsOf(row, by, cluster);
  return paths.kubernetesWorkload({ cluster_id, namespace, owner_kind, owner_name });
}

const broken = ({ phases }: PodOwner) => phases.Failed + phases.Unknown;

function PodsCell({ row, to }: { row: PodOwner; to: string }) {
  const { desired, ready, phases } = row;
  return (
    <TableCell className="number" data-name="Pods">
      <Link to={to}>{desired === null || ready === null ? numberText(row.pods) : `${ready} / ${desired} ready`}</Link>
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

function Amount({ text }: { text: string }) {
  const space = text.lastIndexOf(' ');
  return (
    <span>
      {text.slice(0, space)}
      <span className="unit"> {text.slice(space + 1)}</span>
    </span>
  );
}

const coresAmount = (cores: number | null): string | null => {
  const text = coresText(cores);
  return text === null ? null : `${text} cores`;
};

interface UsageAmountProps {
  name: string;
  used: number | null;
  /** Sums over the pods; a limit that not every pod has bounds nothing. */
  request: number | null;
  limit: number | null;
  without: number;
  textOf: (amount: number | null) => string | null;
}

/** Cell with the used amount, and its bar against the limit, else against the request, with the load line. */
function UsageAmountCell({ name, used, request, limit, without, textOf }: UsageAmountProps) {
  const bound = without > 0 ? null : limit;
  const of = bound === null ? 'request' : 'limit';
  const percent = percentOf(used, bound ?? request);
  const text = textOf(used);
  return (
    <TableCell className="number" data-name={name}>
      {text === null ? <NotAvailable reason={WHY_NO_USE} /> : <Amount text={text} />}
      {percent !== null && (
        <span className="bar" title={`${percentText(percent) ?? ''} % of its ${of}`}>
          <CapacityBar name={`${name} of its ${of}`} value={percent} line={USAGE_LINE} />
        </span>
      )}
    </TableCell>
  );
}

interface AmountCellProps {
  name: string;
  text: string | null;
  without?: number;
}

/** A sum; "none set" where no pod has such an amount, and how many have none where some have. */
function AmountCell({ name, text, without = 0 }: AmountCellProps) {
  return (
    <TableCell className="number" data-name={name}>
      {text === null ? 'none set' : <Amount text={text} />}
      {text !== null && without > 0 && <small>{plural(without, 'pod')} without</small>}
    </TableCell>
  );
}

interface TotalsRowProps {
  row: PodOwner;
  by: OwnerGrouping;
  cluster: string | null;
  /** The cluster of the row: rows of several clusters may have the same name. Null where one cluster is shown. */
  clusterName: string | null;
}

/** Usage of a namespace or workload beside its requests and limits; its name leads to its pods. */
export function TotalsRow({ row, by, cluster, clusterName }: TotalsRowProps) {
  return (
    <TableRow>
      <TableCell>
        <Link to={pageOf(row, by, cluster)}>
          {escapeInvisible(by === 'namespace' ? row.namespace : (row.owner_name ?? 'Pods without an owner'))}
        </Link>
        {by === 'owner' && row.owner_kind !== null && <small>{escapeInvisible(row.owner_kind)}</small>}
        {by === 'namespace' && clusterName !== null && <small>{escapeInvisible(clusterName)}</small>}
      </TableCell>
      {by === 'owner' && (
        <TableCell data-name="Namespace">
          {escapeInvisible(row.namespace)}
          {clusterName !== null && <small>{escapeInvisible(clusterName)}</small>}
        </TableCell>
      )}
      <PodsCell row={row} to={podsOf(row, by, cluster)} />
      <UsageAmountCell
        name="CPU"
        used={row.cpu_usage_cores}
        request={row.requests.cpu_cores}
        limit={row.limits.cpu_cores}
        without={row.without_cpu_limit}
        textOf={coresAmount}
      />
      <AmountCell name="CPU req." text={coresAmount(row.requests.cpu_cores)} />
      <AmountCell name="CPU limit" text={coresAmount(row.limits.cpu_cores)} without={row.without_cpu_limit} />
      <UsageAmountCell
        name="Memory"
        used={row.memory_usage_mb}
        request={row.requests.memory_mb}
        limit={row.limits.memory_mb}
        without={row.without_memory_limit}
        textOf={sumMemoryText}
      />
      <AmountCell name="Memory req." text={sumMemoryText(row.requests.memory_mb)} />
      <AmountCell name="Memory limit" text={sumMemoryText(row.limits.memory_mb)} without={row.without_memory_limit} />
      <TableCell className="number" data-name="Restarts 24 h">
        {numberText(row.restarts_24h)}
      </TableCell>
    </TableRow>
  );
}
