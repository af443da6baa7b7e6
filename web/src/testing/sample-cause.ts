import type { CauseAnswer, CauseEntity, LikelyCause } from '@plimsoll/contract/wire/causes';

const CHECKOUT: CauseEntity = {
  kind: 'workload',
  name: 'checkout',
  object_kind: 'Deployment',
  namespace: 'shop',
  cluster_id: 'c',
  server_id: null,
  href: '/kubernetes/workloads/c/shop/Deployment/checkout',
};

export const SAMPLE_CAUSE: LikelyCause = {
  mechanism: 'limit_below_peak',
  mechanism_title: 'Limit below the peak',
  finding: 'The rollout of shop/checkout at 19:56 lowered its memory limit from 512 to 256 MB.',
  entities: [CHECKOUT],
  since: '2026-11-22T19:56:08.000Z',
  change_id: '41',
  explains: 3,
  evidence: [
    { text: 'Memory limit 512 → 256 MB, by ci-deploy', at: '2026-11-22T19:56:08.000Z', href: '/changes?q=checkout' },
    { text: 'FATAL: out of memory', at: '2026-11-22T19:57:31.000Z', href: null, is_quote: true },
    { text: 'These pods used up to 318 MB before.', at: null, href: null },
  ],
  against: ['Two of its pods do not fail.'],
  next: { text: 'Undo the rollout.', command: 'kubectl -n shop rollout undo deployment/checkout' },
};

export const SAMPLE_ANSWER: CauseAnswer = {
  status: 'found',
  causes: [SAMPLE_CAUSE],
  victims: [{ entity: { ...CHECKOUT, name: 'front' }, text: 'It talks to shop/checkout.' }],
  ruled_out: [{ text: 'Kernel update of node-4', reason: 'The pods on other nodes fail too.', change_id: '40' }],
  symptoms: 4,
  at: '2026-11-22T19:57:31.000Z',
  computed_at: '2026-11-22T19:58:00.000Z',
};
