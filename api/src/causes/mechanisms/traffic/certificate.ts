import { nameOf, objectEntity } from '../../entities.ts';
import { addressPattern } from '../../graph.ts';
import { hostMechanism } from '../../host-moment.ts';
import { refOf } from '../../index-objects.ts';
import type { Mechanism } from '../../mechanism.ts';
import { quote } from '../../words.ts';
import { isInTrouble, textsOf, workloadMechanism } from '../../workload-states.ts';

const CERTIFICATE =
  /\bcertificate\b.{0,80}(?:expire|invalid|not (?:yet )?valid|verif|fail)|\bx509\b|\bCERT_HAS_EXPIRED\b|\bcert(?:bot|ificate)\S*.{0,60}(?:fail|error)|TLS handshake (?:error|fail)/i;
const WORDS = {
  specificity: 'stated',
  next: 'See which one and until when it is valid, then renew it.',
  command: 'openssl s_client -connect HOST:443 | openssl x509 -noout -dates',
} as const;

/** The API server speaks of the certificate of a webhook, which refuses pods. */
const isOwn = (text: string): boolean => CERTIFICATE.test(text) && !/calling webhook/i.test(text);
/** A certificate is expired or not trusted: the one that serves it is guilty, not its callers. */
const ofWorkload = workloadMechanism('certificate', 'Certificate', ['pods'], (workload, moment) => {
  const [said] = isInTrouble(workload, moment) ? textsOf(workload, moment, isOwn) : [];
  if (said === undefined) return null;
  const service = moment.index
    .objectsOf('Service')
    .find(
      (one) =>
        one.clusterId === workload.ref.clusterId &&
        one.namespace === workload.ref.namespace &&
        addressPattern(one.name).test(said.text) &&
        !moment.graph.behind(one).includes(workload),
    );
  const entity = service === undefined ? workload.entity : objectEntity(refOf(service));
  return {
    ...WORDS,
    entities: [entity],
    reaches: [workload.entity],
    finding: `A certificate that ${nameOf(entity)} uses is expired or not trusted.`,
    since: said.at,
    change: undefined,
    evidence: [quote(said)],
  };
});
const ofHost = hostMechanism(
  'certificate',
  'Certificate',
  { brings: ['unit', 'crash', 'failing', 'node', 'traffic', 'other', 'cpu'] },
  (host) => {
    const said = host.said.findLast(({ text }) => CERTIFICATE.test(text));
    if (said === undefined) return null;
    return { ...WORDS, finding: 'A certificate is expired or not trusted.', since: said.at, evidence: [quote(said)] };
  },
);
export const certificates: readonly Mechanism[] = [ofWorkload, ofHost];
