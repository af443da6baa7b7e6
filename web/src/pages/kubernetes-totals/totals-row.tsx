import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { OwnerGrouping } from '@plimsoll/contract/rules/kubernetes-limits';
import type { PodOwner } from '@plimsoll/contract/wire/kubernetes';
import { Chip } from '../../components/chips.tsx';
import { coresText, megabytesQuantity } from '../../components/kubernetes/kubernetes-words.ts';
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

function Amount({ text, unit }: { text: string; unit: string }) {
  return (
    <span>
      {text}
      {!text.includes(' ') && <span className="unit"> {unit}</span>}
    </span>
  );
}

interface AmountCellProps {
  name: string;
  text: string | null;
  unit: string;
  without?: number;
}

/** A sum; "none set" where no pod has such an amount, and how many have none where some have. */
function AmountCell({ name, text, unit, without = 0 }: AmountCellProps) {
  return (
    <TableCell className="number" data-name={name}>
      {text === null ? 'none set' : <Amount text={text} unit={unit} />}
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
  const usage = (text: string | null, unit: string) =>
    text === null ? (
      <NotAvailable reason="no pod of these has reported its usage" />
    ) : (
      <Amount text={text} unit={unit} />
    );
  return (
    <TableRow>
      <TableCell>
        <Link to={podsOf(row, by, cluster)}>
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
      <PodsCell row={row} />
      <TableCell className="number" data-name="CPU">
        {usage(coresText(row.cpu_usage_cores), 'cores')}
      </TableCell>
      <AmountCell name="CPU req." unit="cores" text={coresText(row.requests.cpu_cores)} />
      <AmountCell
        name="CPU limit"
        unit="cores"
        text={coresText(row.limits.cpu_cores)}
        without={row.without_cpu_limit}
      />
      <TableCell className="number" data-name="Memory">
        {usage(memoryText(row.memory_usage_mb), 'MB')}
      </TableCell>
      <AmountCell name="Memory req." unit="MB" text={memoryText(row.requests.memory_mb)} />
      <AmountCell
        name="Memory limit"
        unit="MB"
        text={memoryText(row.limits.memory_mb)}
        without={row.without_memory_limit}
      />
      <TableCell className="number" data-name="Restarts 24 h">
        {numberText(row.restarts_24h)}
      </TableCell>
    </TableRow>
  );
}
