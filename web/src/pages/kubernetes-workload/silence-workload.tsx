import { workloadSubject } from '@plimsoll/contract/rules/alert-metric';
import type { SilenceOnWire } from '@plimsoll/contract/wire/alerts/alert-silences';
import type { WorkloadAnswer } from '@plimsoll/contract/wire/kubernetes';
import { endSilence, saveSilence, silencesQuery } from '../../api/alert-acting.ts';
import { failureText } from '../../api/client.ts';
import { useQuery } from '../../api/query.ts';
import { useMayEdit } from '../../api/user.ts';
import { Chip } from '../../components/chips.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { UndoToast } from '../../components/feedback/undo-toast.tsx';
import { useUndoable } from '../../components/feedback/use-undoable.ts';
import { SilenceButton, type SilenceEnd } from '../../components/silences/silence-button.tsx';
import { momentMs } from '../../time/age.ts';
import { dayAndTime, zoneName } from '../../time/zone.ts';

type Workload = Pick<WorkloadAnswer, 'cluster_id' | 'namespace' | 'kind' | 'name'>;

const matcherOf = (workload: Workload) => ({
  cluster_id: workload.cluster_id,
  namespace: workload.namespace,
  subject: workloadSubject(workload),
});

/** Returns the active silence of exactly this workload. */
function silenceOf(workload: Workload, silences: readonly SilenceOnWire[]): SilenceOnWire | undefined {
  const { cluster_id: cluster, namespace, subject } = matcherOf(workload);
  return silences.find(
    (one) =>
      one.status === 'active' &&
      one.cluster_id === cluster &&
      one.namespace === namespace &&
      one.subject === subject &&
      one.metric === null &&
      one.rule_id === null,
  );
}

const untilText = (end: string): string => {
  const at = momentMs(end) ?? 0;
  return `Silenced until ${dayAndTime(at)} ${zoneName(at)}`;
};

/**
 * Silences all alerts of a workload until an end, those that open later too. While a silence is active, shows its end
 * instead.
 */
export function SilenceWorkload({ workload }: { workload: Workload }) {
  const mayEdit = useMayEdit();
  const known = useQuery(silencesQuery()).data?.silences ?? [];
  const { run, busy, error, toast } = useUndoable([['alerts']]);
  const active = silenceOf(workload, known);
  const silence = (end: SilenceEnd) =>
    run(async () => {
      const made = await saveSilence(null, { ...matcherOf(workload), ...end });
      return { text: untilText(made.silence.ends_at), undo: () => endSilence(made.silence.silence_id) };
    });
  const about = `alerts of ${workload.namespace}/${workload.name}`;
  const button = mayEdit && <SilenceButton about={about} disabled={busy} onSilence={silence} />;
  return (
    <>
      {active === undefined ? button : <Chip>{untilText(active.ends_at)}</Chip>}
      {error !== null && <Notice tone="error">{failureText(error)}</Notice>}
      <UndoToast {...toast} />
    </>
  );
}
