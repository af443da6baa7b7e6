import { isSkewed } from '../host/silence.ts';
import { nameOf, objectEntity } from '../../entities.ts';
import { addressPattern } from '../../graph.ts';
import { refOf } from '../../index-objects.ts';
import { CERTIFICATE, quote, RENEWAL } from '../../words.ts';
import { workloadMechanism } from '../../workload-states.ts';

/** The API server speaks of the certificate of a webhook, which refuses pods. */
const isOwn = (text: string): boolean => CERTIFICATE.test(text) && !/calling webhook/i.test(text);
/** A certificate is expired or not trusted: the one that serves it is guilty, not its callers. */
export const certificate = workloadMechanism('certificate', 'Certificate', (workload, moment) => {
  const [said] = workload.isInTrouble ? workload.said(isOwn) : [];
  const nodes = moment.evidence.nodes.filter(({ name }) => workload.pods.some(({ node }) => node === name));
  const isClock = moment.evidence.servers.some(
    (server) => isSkewed(server) && nodes.some(({ serverId }) => serverId === server.serverId),
  );
  if (said === undefined || isClock) return null;
  const service = moment.index
    .objectsOf('Service')
    .find(
      (one) =>
        one.clusterId === workload.ref.clusterId &&
        one.namespace === workload.ref.namespace &&
        addressPattern(one.name).test(said.text) &&
        !moment.behind(one).includes(workload),
    );
  const entity = service === undefined ? workload.entity : objectEntity(refOf(service));
  return {
    ...RENEWAL,
    specificity: 'stated',
    entities: [entity],
    reaches: [workload.entity],
    finding: `A certificate that ${nameOf(entity)} uses is expired or not trusted.`,
    since: said.at,
    change: undefined,
    evidence: [quote(said)],
  };
});
