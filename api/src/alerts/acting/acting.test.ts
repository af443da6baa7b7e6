import { expect, test } from 'vitest';
import { judgeActing } from './acting.ts';

const silence = { id: 's', endsAt: 900 };
const waits = (state: 'firing' | 'escalated' | 'repeated' | 'resolved', isDelivered = false) => ({
  state,
  isDelivered,
});
const HOLD = { kind: 'hold', until: 900 };
const SEND = { kind: 'send' };
const SKIP = { kind: 'skip' };

test.each([
  ['nothing done: sent', { acknowledgedAt: null, silence: null }, [waits('firing')], SEND],
  ['silenced: held to its end', { acknowledgedAt: null, silence }, [waits('firing')], HOLD],
  [
    'silenced, opened and ended in it: never sent',
    { acknowledgedAt: null, silence },
    [waits('firing'), waits('resolved')],
    SKIP,
  ],
  [
    'silenced after it was delivered: the end is sent later',
    { acknowledgedAt: null, silence },
    [waits('resolved', true)],
    HOLD,
  ],
  ['silenced and acknowledged: held', { acknowledgedAt: 1, silence }, [waits('escalated', true)], HOLD],
  ['acknowledged: no repetition', { acknowledgedAt: 1, silence: null }, [waits('repeated', true)], SKIP],
  [
    'acknowledged: an escalation is sent',
    { acknowledgedAt: 1, silence: null },
    [waits('repeated', true), waits('escalated', true)],
    SEND,
  ],
  ['acknowledged: the end is sent', { acknowledgedAt: 1, silence: null }, [waits('resolved', true)], SEND],
  ['not acknowledged: repetitions are sent', { acknowledgedAt: null, silence: null }, [waits('repeated', true)], SEND],
] as const)('%s', (_name, acting, waiting, verdict) => {
  expect(judgeActing(acting, waiting)).toEqual(verdict);
});
