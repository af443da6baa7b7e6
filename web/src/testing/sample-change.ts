import type { Change } from '@plimsoll/contract/wire/changes';

/** A new image of a Deployment, five minutes ago. */
export const sampleChange = (given: Partial<Change>): Change => ({
  id: '1',
  at: new Date(Date.now() - 300_000).toISOString(),
  source: 'cluster',
  action: 'changed',
  kind: 'Deployment',
  namespace: 'shop',
  name: 'checkout',
  title: 'image 1.9.1 → 1.9.2',
  by: 'ci-deploy',
  link: null,
  cluster_id: 'c',
  cluster_name: 'prod-fra',
  server_id: null,
  hostname: null,
  fields: [
    { field: 'containers.web.image', was: 'changed', before: 'checkout:1.9.1', after: 'checkout:1.9.2', hidden: false },
  ],
  ...given,
});
