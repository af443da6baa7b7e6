import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { HOURS_A_MONTH } from '@plimsoll/contract/rules/capacity-settings';
import { percentOf } from '@plimsoll/contract/rules/percent-of';
import type { CapacityCluster, CapacityCost } from '@plimsoll/contract/wire/capacity';
import { useState } from 'react';
import { bytesWords, coresWords, moneyWords } from '../../components/capacity/capacity-words.ts';
import { Figure } from '../../components/figure.tsx';
import { Panel } from '../../components/panel.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText, plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { Below, CapacityScroll } from './capacity-table.tsx';

const SHOWN = 8;

interface CostRowProps {
  clusterId: string;
  row: CapacityCost['workloads'][number];
  money: (amount: number | null) => string | null;
  share: (amount: number | null) => string | null;
}

function CostRow({ clusterId, row, money, share }: CostRowProps) {
  return (
    <TableRow>
      <TableCell>
        <Link
          to={paths.kubernetesWorkload({
            cluster_id: clusterId,
            namespace: row.namespace,
            owner_kind: row.kind,
            owner_name: row.name,
          })}
        >
          {escapeInvisible(`${row.namespace}/${row.name}`)}
        </Link>
      </TableCell>
      <TableCell data-name="Pods" className="number">
        {numberText(row.pods)}
      </TableCell>
      <TableCell data-name="CPU held" className="number">
        {coresWords(row.cpu_cores)}
      </TableCell>
      <TableCell data-name="Memory held" className="number">
        {bytesWords(row.memory_bytes)}
      </TableCell>
      <TableCell data-name="Month" className="number">
        {money(row.month)}
      </TableCell>
      <TableCell data-name="Share" className="number">
        <Figure value={share(row.month)} unit="%" />
      </TableCell>
    </TableRow>
  );
}

/** The part that no pod holds. */
function IdleRow({ idle, money, share }: { idle: number | null } & Pick<CostRowProps, 'money' | 'share'>) {
  return (
    <TableRow>
      <TableCell>
        <b>Idle</b> <span className="quiet">no pod holds it</span>
      </TableCell>
      <TableCell className="number" />
      <TableCell className="number" />
      <TableCell className="number" />
      <TableCell data-name="Month" className="number">
        <b>
          <Figure value={money(idle)} reason="not every node reports its size" />
        </b>
      </TableCell>
      <TableCell data-name="Share" className="number">
        <Figure value={share(idle)} unit="%" />
      </TableCell>
    </TableRow>
  );
}

/** The cost of a cluster by the price that an admin entered: each workload, and the idle part. */
export function CostTable({ cluster, cost }: { cluster: CapacityCluster; cost: CapacityCost }) {
  const { currency, month, idle_month: idle, core_hour: core, gb_hour: gb } = cost;
  const [isWhole, setWhole] = useState(false);
  const rows = isWhole ? cost.workloads : cost.workloads.slice(0, SHOWN);
  const money = (amount: number | null): string | null => moneyWords(amount, currency);
  const share = (amount: number | null): string | null => numberText(percentOf(amount, month), 0);
  return (
    <Panel
      title="Cost of a month"
      note={`${String(HOURS_A_MONTH)} hours at ${String(core)} ${currency} per core and ${String(gb)} ${currency} per GB an hour`}
    >
      <CapacityScroll tabIndex={0} role="region" aria-label="Cost of a month">
        <Table aria-label="Cost of a month">
          <TableHead>
            <TableRow>
              <TableCell>Workload</TableCell>
              <TableCell className="number">Pods</TableCell>
              <TableCell className="number">CPU held</TableCell>
              <TableCell className="number">Memory held</TableCell>
              <TableCell className="number">Month</TableCell>
              <TableCell className="number">Share</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            <IdleRow {...{ idle, money, share }} />
            {rows.map((row) => (
              <CostRow
                key={`${row.namespace}/${row.kind}/${row.name}`}
                clusterId={cluster.cluster_id}
                {...{ row, money, share }}
              />
            ))}
          </TableBody>
        </Table>
      </CapacityScroll>
      <Below>
        All nodes: {money(month) ?? 'N/A, not every node reports its size'}. Pods hold {money(cost.held_month)}: of each
        pod the request, or the use where that is more. The advice on sizes frees{' '}
        {money(cost.saving_month) ?? 'nothing'}.
        {cost.unknown_pods > 0 && ` ${plural(cost.unknown_pods, 'pod')} without a request or use are in no sum.`}
        {cost.workloads_total > rows.length &&
          ` The ${String(rows.length)} largest of ${plural(cost.workloads_total, 'workload')} are shown. `}
        {cost.workloads.length > rows.length && (
          <Button size="small" onClick={() => setWhole(true)}>
            Show {numberText(cost.workloads.length)}
          </Button>
        )}
      </Below>
    </Panel>
  );
}
