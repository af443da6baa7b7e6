import type { ManagedObjectView } from '@plimsoll/contract/wire/managed-object';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { Quiet } from '../../components/form/form-parts.tsx';

/** "AlertRule shop/pending-pods". */
const objectName = ({ kind, namespace, name }: ManagedObjectView): string =>
  escapeInvisible(`${kind} ${namespace}/${name}`);

/** Names the custom resource that makes a rule, a silence or a channel. Only the cluster changes it. */
export function ObjectOrigin({ object }: { object: ManagedObjectView | null | undefined }) {
  if (object === null || object === undefined) return null;
  const cluster = escapeInvisible(object.cluster_name ?? object.cluster_id.slice(0, 8));
  return (
    <Quiet sx={{ display: 'block', overflowWrap: 'anywhere' }}>
      Managed by <code>{objectName(object)}</code> of cluster {cluster}. Change it there with <code>kubectl edit</code>.
    </Quiet>
  );
}
