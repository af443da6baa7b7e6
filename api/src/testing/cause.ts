import type { CauseAnswer, LikelyCause } from '@plimsoll/contract/wire/causes';

/** A cause as the analyser names it. */
export const exampleCause = (parts: Partial<LikelyCause> = {}): LikelyCause => ({
  mechanism: 'limit_below_peak',
  mechanism_title: 'Limit below the peak',
  finding: 'The rollout of shop/checkout at 19:56 lowered its memory limit from 512 to 256 MB.',
  entities: [
    {
      kind: 'workload',
      name: 'checkout',
      object_kind: 'Deployment',
      namespace: 'shop',
      cluster_id: 'uid-1',
      server_id: null,
      href: '/kubernetes/workloads/uid-1/shop/Deployment/checkout',
    },
  ],
  since: '2026-02-01T11:56:08.000Z',
  change_id: '41',
  explains: 4,
  evidence: [
    { text: 'Image 1.9.1 → 1.9.2, memory limit 512 → 256 MB', at: '2026-02-01T11:56:08.000Z', href: '/changes' },
    { text: 'FATAL: out of memory in worker 3', at: '2026-02-01T11:57:31.000Z', href: null, is_quote: true },
  ],
  against: ['Two of its pods do not fail.'],
  next: { text: 'Undo the rollout.', command: 'kubectl -n shop rollout undo deployment/checkout' },
  ...parts,
});

export const exampleAnswer = (parts: Partial<CauseAnswer> = {}): CauseAnswer => ({
  status: 'found',
  causes: [exampleCause()],
  victims: [],
  ruled_out: [],
  symptoms: 4,
  at: '2026-02-01T12:00:00.000Z',
  computed_at: '2026-02-01T12:00:10.000Z',
  ...parts,
});
