import { styled } from '@mui/material/styles';
import type { CollectorStatus, Permission } from '@plimsoll/contract/wire/kubernetes';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { plural } from '../../format/figures.ts';
import { momentMs } from '../../time/age.ts';
import { Age } from '../age.tsx';
import { Notice } from '../feedback/notice.tsx';
import { CopyButton } from '../form/copy-button.tsx';

const Stack = styled('div')({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 8, minWidth: 0 });
const Line = styled('div')({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  minWidth: 0,
  marginTop: 4,
});
const Command = styled('code')(({ theme }) => ({
  flex: 1,
  minWidth: 0,
  padding: '4px 8px',
  borderRadius: 4,
  overflowX: 'auto',
  whiteSpace: 'pre',
  fontSize: 12,
  color: theme.vars.palette.text.primary,
  backgroundColor: theme.vars.palette.background.paper,
}));
const Details = styled('details')(({ theme }) => ({
  '& > summary': { cursor: 'pointer', fontWeight: 600 },
  '& > ul': { listStyle: 'none', margin: '8px 0 0', padding: 0, display: 'grid', gap: 12 },
  '& p': { color: theme.vars.palette.text.secondary },
  [theme.breakpoints.down('sm')]: { '& > summary': { minHeight: 40, paddingTop: 10 } },
}));

/** A line for a shell with its copy button. */
function CommandLine({ command }: { command: string }) {
  return (
    <Line>
      <Command tabIndex={0} role="region" aria-label="Command">
        {command}
      </Command>
      <CopyButton text={command} name="Copy command" />
    </Line>
  );
}

const nameOf = ({ cluster_name: name, cluster_id: id }: CollectorStatus) => escapeInvisible(name ?? id);

function SilentCluster({ cluster, isOnly }: { cluster: CollectorStatus; isOnly: boolean }) {
  const leaderless = cluster.state === 'no_leader';
  const of = isOnly ? '' : ` of ${nameOf(cluster)}`;
  return (
    <Notice tone="error">
      <strong>
        {leaderless ? `The cluster collector${of} has lost its leader. ` : ''}
        <Age
          at={momentMs(cluster.last_seen_at)}
          prefix={`The cluster collector${leaderless ? '' : of} last reported `}
        />
        .
      </strong>
      <p>
        Nodes, pods and health on this page are as old as that.{' '}
        {cluster.detail === null ? '' : escapeInvisible(cluster.detail)}
      </p>
      {cluster.remedy !== null && <p>{cluster.remedy}</p>}
      {cluster.command !== null && <CommandLine command={cluster.command} />}
    </Notice>
  );
}

const STATE_WORDS: Record<Permission['state'], string> = {
  ok: 'works',
  starting: 'starts',
  absent: 'not installed',
  down: 'does not answer',
  forbidden: 'lacks a right',
  unreachable: 'not reachable',
  off: 'off',
  incomplete: 'incomplete',
};

/** One source that fails: what is missing on the screens, why, and what mends it. */
export function ProblemWords({ problem }: { problem: Permission }) {
  return (
    <>
      <b>{escapeInvisible(problem.reader)}</b> <span>{escapeInvisible(problem.who)}</span>
      <p>Missing: {problem.costs}</p>
      {problem.detail !== null && <p>{escapeInvisible(problem.detail)}</p>}
      {problem.remedy !== null && <p>{problem.remedy}</p>}
      {problem.command !== null && <CommandLine command={problem.command} />}
    </>
  );
}

/** "2 sources fail: events lacks a right, metrics.k8s.io not installed". */
function summaryOf(problems: readonly Permission[]): string {
  const names = problems.map(({ reader, state }) => `${escapeInvisible(reader)} ${STATE_WORDS[state]}`);
  const shown = [...new Set(names)];
  const more = shown.length > 3 ? ` and ${shown.length - 3} more` : '';
  return `${plural(problems.length, 'source')} ${problems.length === 1 ? 'fails' : 'fail'}: ${shown.slice(0, 3).join(', ')}${more}`;
}

interface ClusterNoticesProps {
  collectors: readonly CollectorStatus[];
  problems: readonly Permission[];
}

/** Why figures of this page are old or missing; nothing while all collectors report and all sources work. */
export function ClusterNotices({ collectors, problems }: ClusterNoticesProps) {
  const silent = collectors.filter(({ state }) => state !== 'reporting');
  if (silent.length === 0 && problems.length === 0) return null;
  return (
    <Stack>
      {silent.map((cluster) => (
        <SilentCluster key={cluster.cluster_id} cluster={cluster} isOnly={collectors.length === 1} />
      ))}
      {problems.length > 0 && (
        <Notice tone="warning">
          <Details>
            <summary>{summaryOf(problems)}</summary>
            <ul>
              {problems.map((problem) => (
                <li key={`${problem.cluster_id} ${problem.who} ${problem.reader}`}>
                  <ProblemWords problem={problem} />
                </li>
              ))}
            </ul>
          </Details>
        </Notice>
      )}
    </Stack>
  );
}
