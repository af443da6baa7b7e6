import { beforeEach, describe, expect, it } from 'vitest';
import { Prometheus } from './prometheus.ts';
import { PrometheusApi } from './api.ts';
import { prometheusRig, type PrometheusRig } from '../testing/prometheus-rig.ts';
import { StandInPrometheus } from '../testing/stand-in-prometheus.ts';

describe('Prometheus', () => {
  let rig: PrometheusRig;
  beforeEach(async () => {
    rig = await prometheusRig();
  });

  it.each([
    [
      '401',
      { status: 401, body: 'secret realm' },
      'forbidden',
      'wants credentials: set prometheus.tokenSecret (status 401)',
    ],
    ['403', { status: 403, body: '' }, 'forbidden', 'refuses our credentials (status 403)'],
    ['404', { status: 404, body: 'not found' }, 'absent', 'no Prometheus API at this address (status 404)'],
    [
      'a redirect',
      { status: 302, body: '', headers: { location: 'http://169.254.169.254/' } },
      'down',
      'redirects elsewhere, which is not followed (status 302)',
    ],
    ['503', { status: 503, body: 'secret text' }, 'down', 'cannot answer (status 503)'],
    [
      'a query it gives up on',
      { status: 422, body: '{"status":"error","errorType":"execution","error":"secret"}' },
      'down',
      'cannot answer: execution (status 422)',
    ],
    [
      'something that is no Prometheus',
      { status: 200, body: '<html>' },
      'down',
      'what answers at this address is not Prometheus, or its answer is too large',
    ],
    [
      'JSON of something else',
      { status: 200, body: '{"status":"success"}' },
      'down',
      'what answers at this address is not Prometheus, or its answer is too large',
    ],
  ])('%s is named and never repeats what the answer says', async (_what, fault, reason, detail) => {
    rig.server.fault = fault;
    expect(await rig.prometheus.usage([...rig.state.nodes.objects.values()])).toEqual([]);
    expect(rig.prometheus.reader).toMatchObject({ name: 'prometheus', state: reason, detail, since: rig.now });
  });

  it('an address where nobody answers is named, and asked less and less often', async () => {
    const nobody = new StandInPrometheus();
    const gone = new PrometheusApi(await nobody.start());
    await nobody.stop();
    rig.prometheus = new Prometheus({ ...rig, api: gone, log: () => undefined });
    const waits = [await rig.prometheus.turn(null), await rig.prometheus.turn(null), await rig.prometheus.turn(null)];
    expect(rig.prometheus.reader).toMatchObject({
      state: 'unreachable',
      detail: expect.stringContaining('ECONNREFUSED'),
    });
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.at(-1)).toBeGreaterThan(30_000);
  });

  it('a Prometheus that falls silent holds nothing up for longer than its patience', async () => {
    rig.server.fault = 'silence';
    const hasty = new PrometheusApi(rig.address, undefined, 20);
    await expect(hasty.query('up')).rejects.toMatchObject({
      state: 'unreachable',
      message: expect.stringContaining('no answer for'),
    });
    hasty.close();
  });

  it('a bearer token goes along', async () => {
    const signed = new PrometheusApi(rig.address, () => Promise.resolve('token'));
    await signed.query('up');
    signed.close();
    expect(rig.server.seen).toEqual([{ path: '/api/v1/query', expression: 'up', authorization: 'Bearer token' }]);
  });

  it('says once that it went away and once that it is back, and since when', async () => {
    const nodes = [...rig.state.nodes.objects.values()];
    await rig.prometheus.usage(nodes);
    rig.server.fault = { status: 503, body: '' };
    rig.timing.advance(60_000);
    await rig.prometheus.usage(nodes);
    rig.timing.advance(60_000);
    await rig.prometheus.usage(nodes);
    expect(rig.prometheus.reader).toMatchObject({ state: 'down', since: rig.now + 60 });
    rig.server.fault = null;
    await rig.prometheus.usage(nodes);
    expect(rig.prometheus.reader).toMatchObject({ state: 'ok', detail: null, since: rig.now + 120 });
    expect(rig.log.map((line) => line.split(' ', 2).join(' '))).toEqual([
      'info prometheus',
      'warn prometheus',
      'info prometheus',
    ]);
  });

  it('asks until it is told to stop, and waits between', async () => {
    const stop = new AbortController();
    let turns = 0;
    const taker = () => {
      turns += 1;
      if (turns === 4) stop.abort();
      return rig.taker;
    };
    await rig.prometheus.run(taker, stop.signal);
    expect(turns).toBe(4);
    expect(rig.timing.waits.slice(0, 3)).toEqual([60_000, 60_000, 60_000]);
  });
});
