import type { WorkloadAnswer } from '@plimsoll/contract/wire/kubernetes';
import { Facts } from '../../components/facts.tsx';
import { AmountBar } from '../../components/kubernetes/amount-bar.tsx';
import { coresText, memoryText } from '../../components/kubernetes/kubernetes-words.ts';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Panel, PanelBody } from '../../components/panel.tsx';
import { numberText, plural } from '../../format/figures.ts';

const without = (count: number) => (count === 0 ? '' : `, ${plural(count, 'pod')} without`);

/** Card with the use of all pods together, against their requests and limits. */
export function WorkloadUse({ answer: { owner } }: { answer: WorkloadAnswer }) {
  if (owner === null)
    return (
      <Panel title="Requests against use">
        <EmptyState sentence="No pods found" reason="Nothing runs, so nothing is used." />
      </Panel>
    );
  const { requests, limits } = owner;
  const cores = (value: number | null) => (value === null ? null : `${coresText(value) ?? ''} cores`);
  return (
    <Panel title="Requests against use" note={plural(owner.pods, 'pod')}>
      <PanelBody sx={{ display: 'grid', gap: 2 }}>
        <AmountBar
          label="CPU"
          used={owner.cpu_usage_cores}
          request={requests.cpu_cores}
          limit={owner.without_cpu_limit > 0 ? null : limits.cpu_cores}
          textOf={cores}
        />
        <AmountBar
          label="Memory"
          used={owner.memory_usage_mb}
          request={requests.memory_mb}
          limit={owner.without_memory_limit > 0 ? null : limits.memory_mb}
          textOf={memoryText}
        />
      </PanelBody>
      <Facts
        facts={[
          { name: 'CPU requested', value: cores(requests.cpu_cores) ?? 'none set' },
          {
            name: 'CPU limit',
            value:
              limits.cpu_cores === null
                ? 'none set'
                : `${cores(limits.cpu_cores) ?? ''}${without(owner.without_cpu_limit)}`,
          },
          { name: 'Memory requested', value: memoryText(requests.memory_mb) ?? 'none set' },
          {
            name: 'Memory limit',
            value:
              limits.memory_mb === null
                ? 'none set'
                : `${memoryText(limits.memory_mb) ?? ''}${without(owner.without_memory_limit)}`,
          },
          { name: 'Restarts in 24 h', value: numberText(owner.restarts_24h) },
        ]}
      />
    </Panel>
  );
}
