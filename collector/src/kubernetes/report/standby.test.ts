import { beforeEach, describe, expect, it } from 'vitest';
import { standbyMessage, type StandbyMessage } from '@plimsoll/contract/wire/cluster-report';
import { FakeTiming } from '../testing/fake-timing.ts';
import { ApiError } from '../watch/api-error.ts';
import { Standby } from './standby.ts';

const FORBIDDEN = new ApiError(403, 'leases is forbidden');

describe('a replica that cannot take the lease', () => {
  let sent: StandbyMessage[];
  let paths: string[];
  let timing: FakeTiming;
  let standby: Standby;
  beforeEach(() => {
    sent = [];
    paths = [];
    timing = new FakeTiming();
    standby = new Standby({
      post: (path, body) => {
        paths.push(path);
        sent.push(standbyMessage.parse(body));
        return Promise.resolve({ kind: 'failed', code: 'ECONNREFUSED' });
      },
      collector: { id: 'pod-1', version: '1.2.3' },
      serviceAccount: () => 'plimsoll-system:collector',
      timing,
    });
  });
  const failFor = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 2) {
      await standby.failed(FORBIDDEN);
      timing.advance(2000);
    }
  };

  it('says nothing while a lease changes hands', async () => {
    await failFor(28);
    expect(sent).toEqual([]);
  });

  it('then says once a minute why, with the right it needs', async () => {
    await failFor(120);
    expect(sent).toHaveLength(2);
    expect(new Set(paths)).toEqual(new Set(['/api/agent/v1/cluster/standby']));
    expect(sent[0]).toMatchObject({
      collector: { id: 'pod-1' },
      lease: {
        state: 'forbidden',
        detail: 'forbidden: needs leases.coordination.k8s.io get,create,update',
        needs: 'get,create,update leases.coordination.k8s.io',
        service_account: 'plimsoll-system:collector',
      },
    });
  });

  it('starts anew once the lease can be read again', async () => {
    await failFor(28);
    standby.well();
    await failFor(28);
    expect(sent).toEqual([]);
  });
});
