import { styled } from '@mui/material/styles';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { rowNotes, subjectName } from '../../format/incident-words.ts';
import type { AlertsRow } from '../../format/incident-rows.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

/** Returns the page of what an alert is about; an alert about all servers leads to their list. */
function subjectPath({ server_id: id, kubernetes }: Pick<Alert, 'server_id' | 'kubernetes'>): string {
  if (kubernetes === null || kubernetes === undefined) return id === null ? paths.servers : paths.server(id);
  const { cluster_id: cluster, namespace, name, workload_kind: kind } = kubernetes;
  if (name === null) return paths.cluster(cluster);
  if (namespace === null) return paths.kubernetesNode(name);
  // A volume is found by the pods of its namespace.
  return paths.podsOf(namespace, kind === null ? '' : name);
}

const clusterName = ({ cluster_name: name, cluster_id: id }: NonNullable<Alert['kubernetes']>): string =>
  escapeInvisible(name ?? id.slice(0, 8));

interface SubjectLinkProps {
  alert: Alert;
  className?: string;
}

/** The name of what an alert is about, which leads to its page. A click does not open the row around it. */
export const SubjectLink = ({ alert, className }: SubjectLinkProps) => (
  <Link className={className} to={subjectPath(alert)} onClick={(event) => event.stopPropagation()}>
    {subjectName(alert)}
  </Link>
);

/** The name of the cluster of an alert, which leads to its page; nothing for an alert about a server. */
export function ClusterLink({ alert: { kubernetes } }: { alert: Alert }) {
  if (kubernetes === null || kubernetes === undefined) return null;
  return (
    <Link to={paths.cluster(kubernetes.cluster_id)} onClick={(event) => event.stopPropagation()}>
      {clusterName(kubernetes)}
    </Link>
  );
}

const Line = styled('span')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'block',
  minWidth: 0,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  color: theme.vars.palette.load.text3,
  // Within a sentence, colour alone does not mark a link.
  '& a': { textDecoration: 'underline', textUnderlineOffset: 3 },
  '&.cause': { color: theme.vars.palette.text.secondary },
}));

/** The first sentence of the likely cause. A group of incidents has several, which its rows say. */
export function RowCause({ row }: { row: AlertsRow }) {
  const cause = row.kind === 'group' ? null : (row.lead.incident?.likely_cause ?? null);
  if (cause === null) return null;
  const text = `Likely cause: ${escapeInvisible(cause)}`;
  return (
    <Line className="cause" title={text}>
      {text}
    </Line>
  );
}

interface RowNotesProps {
  row: AlertsRow;
  /** Text after the notes: who works on it. */
  after?: readonly string[];
}

/** The second line of a row: cluster, kind, how many alerts it stands for. Nothing when all of that is empty. */
export function RowNotes({ row, after = [] }: RowNotesProps) {
  const { kubernetes } = row.lead;
  const isOfCluster = row.kind === 'incident' && kubernetes !== null && kubernetes !== undefined;
  // The alert of a whole cluster has its name in front.
  const cluster = isOfCluster && kubernetes.name !== null ? [<ClusterLink key="cluster" alert={row.lead} />] : [];
  const kind = isOfCluster && kubernetes.workload_kind !== null ? [escapeInvisible(kubernetes.workload_kind)] : [];
  const parts: ReactNode[] = [...cluster, ...kind, ...rowNotes(row), ...after];
  if (parts.length === 0) return null;
  return (
    <Line className="notes">
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index > 0 && ' · '}
          {part}
        </Fragment>
      ))}
    </Line>
  );
}
