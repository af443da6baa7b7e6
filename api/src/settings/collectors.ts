import { IMAGE_REGISTRY } from '@plimsoll/contract/rules/image-registry';
import { REPORT_INTERVAL_SECONDS } from '@plimsoll/contract/rules/limits';
import type { EnvironmentReader } from './environment.ts';
import { code, NONE, type Setting, setting } from './setting.ts';

function readImages(environment: EnvironmentReader): { registry: string | null; tag: string | null } {
  const registry = environment.text('PLIMSOLL_IMAGE_REGISTRY')?.replace(/\/+$/, '') ?? null;
  if (registry !== null && !IMAGE_REGISTRY.test(registry))
    environment.refuse(
      `PLIMSOLL_IMAGE_REGISTRY is "${registry}": write it in lower case and without https://, like registry.example.com/team`,
    );
  return { registry, tag: environment.text('PLIMSOLL_IMAGE_TAG') };
}

function readClusterToken(environment: EnvironmentReader, name: string): string | null {
  const token = environment.secret(name);
  if (token !== null && !/^plm_cluster_[A-Za-z0-9_-]{43}$/.test(token))
    environment.refuse(`${name} is not a cluster token: write plm_cluster_ and 43 letters or digits`);
  return token;
}

/** Images of Setup's Helm command; registry null: Setup has a field for it; tag null: the chart's. */
const images: Setting<{ registry: string | null; tag: string | null }> = {
  rows: [
    {
      names: ['PLIMSOLL_IMAGE_REGISTRY', 'PLIMSOLL_IMAGE_TAG'],
      fallback: "–, the chart's",
      meaning: "registry and tag of the images in Setup's Helm command",
    },
  ],
  read: readImages,
};

export const collectors = {
  title: 'Collectors',
  settings: {
    /** Seconds between two reports. Every response sends it to the collector. */
    reportIntervalSeconds: setting(
      'PLIMSOLL_REPORT_INTERVAL_SECONDS',
      {
        isShown: true,
        fallback: code(REPORT_INTERVAL_SECONDS),
        meaning: 'seconds between two reports, from 1 to 3600; every response sends it to the collector',
      },
      (environment, name) => environment.seconds(name, REPORT_INTERVAL_SECONDS),
    ),
    images,
    /** Cluster token of the collectors installed together with this API; null: none. */
    clusterToken: setting(
      'PLIMSOLL_CLUSTER_TOKEN',
      {
        fallback: NONE,
        meaning: 'cluster token of the collectors that the chart installs together with the API; the chart sets it',
        isSecret: true,
      },
      readClusterToken,
    ),
    /** File for the token of this machine's own collector; null: the start creates no token. */
    localEnrolmentFile: setting(
      'PLIMSOLL_LOCAL_ENROLMENT_FILE',
      { fallback: NONE, meaning: "file for the token of this machine's own collector; `npm start` sets it" },
      (environment, name) => environment.text(name),
    ),
  },
};
