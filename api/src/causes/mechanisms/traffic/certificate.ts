import { nameOf, objectEntity, serverEntity } from '../../entities.ts';
import { addressPattern } from '../../graph.ts';
import { refOf } from '../../index-objects.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import { quoted } from '../../words.ts';
import { isInTrouble, POD_TROUBLE, textsOf } from '../../workload-states.ts';

const CERTIFICATE =
  /\bcertificate\b.{0,80}(?:expire|invalid|not (?:yet )?valid|verif|fail)|\bx509\b|\bCERT_HAS_EXPIRED\b|\bcert(?:bot|ificate)\S*.{0,60}(?:fail|error)|TLS handshake (?:error|fail)/i;
const HOUR = 3600;

/** A certificate is expired or not trusted: the one that serves it is guilty, not its callers. */
export const certificate: Mechanism = {
  id: 'certificate',
  title: 'Certificate',
  needs: ['at'],
  recognise: (moment) => [
    ...moment.workloads.flatMap((workload): Candidate[] => {
      const [said] = isInTrouble(workload, moment) ? textsOf(workload, moment, (text) => CERTIFICATE.test(text)) : [];
      if (said === undefined) return [];
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
      return [
        {
          ...WORDS,
          entities: [entity],
          reaches: [workload.entity],
          finding: `A certificate that ${nameOf(entity)} uses is expired or not trusted.`,
          since: said.at,
          specificity: 'stated',
          brings: POD_TROUBLE,
          evidence: [{ text: quoted(said.text), at: said.at }],
        },
      ];
    }),
    ...moment.evidence.servers.flatMap((server): Candidate[] => {
      const [said] = server.events
        .filter(({ message, at }) => CERTIFICATE.test(message) && at <= server.at + HOUR && at > server.at - 24 * HOUR)
        .toSorted((a, b) => b.at - a.at);
      if (said === undefined) return [];
      return [
        {
          ...WORDS,
          entities: [serverEntity(server.serverId, server.hostname)],
          finding: 'A certificate is expired or not trusted.',
          since: said.at,
          specificity: 'stated',
          brings: ['unit', 'crash', 'failing', 'node', 'traffic', 'other', 'cpu'],
          evidence: [{ text: quoted(said.message), at: said.at }],
        },
      ];
    }),
  ],
};
const WORDS = {
  next: 'See which one and until when it is valid, then renew it.',
  command: 'openssl s_client -connect HOST:443 | openssl x509 -noout -dates',
};
