import { type Reading, workloadSubject } from '@plimsoll/contract/rules/alert-metric';
import type { Place } from '../alerts/types.ts';
import type { CapacityFindings } from './findings.ts';

type CapacityMetric = 'node_loss' | 'cluster_requested' | 'cluster_full_forecast' | 'workload_too_small';
interface PlacedReading extends Reading {
  label: string;
  place: Place;
}
const CLUSTER_PLACE = { namespace: null, workloadKind: null, name: null, nodes: [] };

/** Returns what the last plan of a cluster says about each metric. Null: there is no plan that is fresh enough. */
export function capacityReadings(findings: CapacityFindings | null): Record<CapacityMetric, readonly PlacedReading[]> {
  if (findings === null)
    return { node_loss: [], cluster_requested: [], cluster_full_forecast: [], workload_too_small: [] };
  const { nodeLoss, requested } = findings;
  return {
    node_loss: nodeLoss
      .filter(({ pending }) => pending !== 0)
      .map(({ node, pending, words }) => ({
        subject: node,
        label: node,
        value: pending,
        detail: words ?? `Without ${node}, ${String(pending)} pods stay pending`,
        place: { namespace: null, workloadKind: null, name: node, nodes: [node] },
      })),
    cluster_requested: [
      { resource: 'CPU', percent: requested.cpuPercent },
      { resource: 'memory', percent: requested.memoryPercent },
    ].map(({ resource, percent }) => ({
      subject: resource,
      label: resource,
      value: percent,
      place: CLUSTER_PLACE,
    })),
    cluster_full_forecast: forecastReadings(findings),
    workload_too_small: [...Map.groupBy(findings.tooSmall, workloadSubject)].flatMap(([subject, [first]]) =>
      first === undefined
        ? []
        : [
            {
              subject,
              label: `${first.namespace}/${first.name}`,
              value: 1,
              detail: `${first.container}: ${first.evidence}`,
              place: { namespace: first.namespace, workloadKind: first.kind, name: first.name, nodes: [] },
            },
          ],
    ),
  };
}

function forecastReadings({ fullForecast, isForecastKnown }: CapacityFindings): PlacedReading[] {
  if (fullForecast !== null) {
    const { resource, days } = fullForecast;
    return [
      {
        subject: 'requests',
        label: resource === 'cpu' ? 'CPU requests' : 'memory requests',
        value: days,
        place: CLUSTER_PLACE,
      },
    ];
  }
  return isForecastKnown ? [] : [{ subject: 'requests', label: 'requests', value: null, place: CLUSTER_PLACE }];
}
