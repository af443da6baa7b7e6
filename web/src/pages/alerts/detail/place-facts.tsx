import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { ClusterLink, SubjectLink } from '../../../components/incidents/place-links.tsx';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { paths } from '../../../paths.ts';
import { Link } from '../../../router.ts';

/** More nodes than these are counted. */
const SHOWN_NODES = 6;

function Nodes({ names }: { names: readonly string[] }) {
  const more = names.length - SHOWN_NODES;
  return (
    <>
      {names.slice(0, SHOWN_NODES).map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <Link to={paths.kubernetesNode(name)}>{escapeInvisible(name)}</Link>
        </Fragment>
      ))}
      {more > 0 && ` and ${String(more)} more`}
    </>
  );
}

/** Returns the places of an alert as facts, each a link: its server, or its object, nodes and cluster. */
export function placeFacts(alert: Alert): { name: string; value: ReactNode }[] {
  const { kubernetes, server_id: server } = alert;
  const subject = <SubjectLink alert={alert} />;
  if (kubernetes === null || kubernetes === undefined)
    return server === null ? [] : [{ name: 'Server', value: subject }];
  const { workload_kind: kind, namespace, name, nodes } = kubernetes;
  const object = kind ?? (namespace === null ? 'Node' : 'Volume');
  const isOfNode = namespace === null && name !== null;
  return [
    ...(name === null ? [] : [{ name: object, value: subject }]),
    ...(isOfNode || nodes.length === 0 ? [] : [{ name: 'Nodes', value: <Nodes names={nodes} /> }]),
    { name: 'Cluster', value: <ClusterLink alert={alert} /> },
  ];
}
