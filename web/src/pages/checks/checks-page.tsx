import type { ChecksAnswer } from '@plimsoll/contract/wire/checks/checks';
import { checksQuery } from '../../api/checks.ts';
import { useQuery } from '../../api/query.ts';
import { useMayEdit } from '../../api/user.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { NotStored } from '../../components/feedback/not-stored.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { ServersNav } from '../../components/fleet/servers-nav.tsx';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { plural } from '../../format/figures.ts';
import { useAt } from '../../state/use-at.ts';
import { useFreshness } from '../../state/use-freshness.ts';
import { momentMs } from '../../time/age.ts';
import { AddCheck } from './add-check.tsx';
import { ChecksTable } from './checks-table.tsx';

/** "12 checks: 1 down, 1 unknown." */
function sentenceOf({ total, summary }: ChecksAnswer): string {
  if (total === 0) return 'Is it reachable, will its certificate last, did the job run?';
  const parts = (['down', 'unknown', 'paused'] as const).flatMap((status) =>
    summary[status] === 0 ? [] : [`${String(summary[status])} ${status}`],
  );
  return `${plural(total, 'check')}: ${parts.length === 0 ? 'all up' : parts.join(', ')}.`;
}

/** Checks and heartbeats of the organisation. */
export function Component() {
  const [at] = useAt();
  const mayEdit = useMayEdit();
  const asked = useQuery({ ...checksQuery(), enabled: at === null });
  const answer = asked.data;
  const newest = (answer?.checks ?? []).reduce<number | null>((latest, check) => {
    const ms = momentMs(check.checked_at);
    return latest === null || (ms !== null && ms > latest) ? ms : latest;
  }, null);
  useFreshness('updated', newest);
  return (
    <Page title="Servers" tab="Checks" sentence={answer === undefined ? 'Checks and heartbeats' : sentenceOf(answer)}>
      <ServersNav current="checks" servers={undefined} containers={undefined} />
      {at === null ? (
        <>
          <Failure asked={asked} />
          {answer !== undefined && mayEdit && <AddCheck isFirst={answer.total === 0} />}
          <Panel>
            {asked.isPending && <RowsSkeleton rows={8} height={48} />}
            {answer?.total === 0 && (
              <EmptyState
                sentence="No checks yet"
                reason={
                  mayEdit
                    ? 'Paste an address above, or add a heartbeat for a job.'
                    : 'Editors of this organisation add them.'
                }
              />
            )}
            {answer !== undefined && answer.total > 0 && <ChecksTable checks={answer.checks} />}
          </Panel>
        </>
      ) : (
        <NotStored title="Checks" reason="The list shows checks as they are now; each check has its own history." />
      )}
    </Page>
  );
}
