/** The part of a plan that alerts and the dashboard read at each report: small, and of one cluster. */
export interface CapacityFindings {
  /** Epoch milliseconds of the plan. */
  at: number;
  /** Why nothing is known; null: it is. */
  unknown: string | null;
  /** Pods that would stay pending without the node; null: not known. In the order of the nodes' names. */
  nodeLoss: readonly { node: string; pending: number | null; words: string | null }[];
  /** Requests in per cent of what the nodes can give; null: not known. */
  requested: { cpuPercent: number | null; memoryPercent: number | null };
  /** Days until the requests reach what the nodes can give; null: there is no date. */
  fullForecast: { resource: 'cpu' | 'memory'; days: number } | null;
  /** True: the history says that no end is near. False: it does not say. */
  isForecastKnown: boolean;
  /** `evidence`: a sentence such as "2 OOM kills in 14 days". */
  tooSmall: readonly { namespace: string; kind: string; name: string; container: string; evidence: string }[];
}

/** A plan older than this says nothing of now (ms), on a page as in an alert. The job makes one every five minutes. */
export const FINDINGS_FRESH_MS = 30 * 60_000;
