import { alertRuleRequest, type AlertRuleOnWire } from '@plimsoll/contract/wire/alert-rules';
import { describe, expect, it } from 'vitest';
import { durationText, readDuration } from '../../../format/duration-text.ts';
import {
  bodyOf,
  bodyOfRule,
  canAddLine,
  draftOf,
  ruleProblems,
  TARGET_FIELDS,
  withLine,
  withMetric,
} from './rule-draft.ts';
import { RULE_METRICS } from './rule-metrics.ts';
import { metricWords } from '../../../format/incident-words.ts';
import { linesWords, replacedDefaults, targetWords } from './rule-words.ts';

const SERVER = '7d0c1f6e-7b7a-4b0f-9a39-0d0a4f2f1c11';
const RULE = {
  rule_id: 'r1',
  is_default: false,
  metric: 'cpu_usage',
  target: 'all',
  server_id: null,
  tag_key: null,
  tag_value: null,
  mount: null,
  lines: [
    { level: 'warning', threshold: 80 },
    { level: 'critical', threshold: 95 },
  ],
  for_seconds: 300,
  keep_firing_for_seconds: 90,
  hysteresis_points: 5,
  enabled: true,
  text: 'CPU at or above 80 %',
  created_at: null,
  updated_at: null,
} satisfies AlertRuleOnWire;
const OFFLINE = {
  ...RULE,
  metric: 'offline',
  lines: [{ level: 'critical' as const, threshold: null }],
  for_seconds: 180,
} satisfies AlertRuleOnWire;

describe('the editor of a rule', () => {
  it.each([RULE, OFFLINE, { ...RULE, target: 'tag' as const, tag_key: 'env' }])(
    'writes what it read: $metric',
    (rule) => {
      const body = bodyOf(draftOf(rule));
      expect(alertRuleRequest.safeParse(body).error).toBeUndefined();
      expect(body).toMatchObject({ lines: rule.lines, for_seconds: rule.for_seconds });
      expect(ruleProblems(draftOf(rule))).toEqual({});
    },
  );

  it.each([...RULE_METRICS].flatMap(([metric, { targets }]) => targets.map((target) => [metric, target] as const)))(
    '%s for %s: names the missing fields, and the API takes what is filled in',
    (metric, target) => {
      const { bounds, isWorseWhenLower } = RULE_METRICS.get(metric) ?? { bounds: null, isWorseWhenLower: false };
      const draft = draftOf(bounds === null ? OFFLINE : RULE);
      const thresholds = draft.lines.map(({ threshold }) => threshold);
      const ordered = isWorseWhenLower ? ['4', '1'] : thresholds;
      const lines = draft.lines.map(({ level }, index) => ({ level, threshold: ordered[index] ?? '' }));
      const empty = { ...draft, lines, metric, target };
      const where = {
        tag_key: 'env',
        server_id: SERVER,
        mount: '/var',
        namespace: 'shop',
        workload: 'api',
        cluster_id: 'c',
      };
      const filled = { ...empty, where };
      expect(
        Object.keys(ruleProblems(empty)).every((name) => TARGET_FIELDS[target].some((field) => field === name)),
      ).toBe(true);
      expect(ruleProblems(filled)).toEqual({});
    },
  );

  it('says which line is wrong', () => {
    const draft = draftOf(RULE);
    const lines = [
      { level: 'critical' as const, threshold: '120' },
      { level: 'warning' as const, threshold: '' },
    ];
    expect(Object.keys(ruleProblems({ ...draft, lines }))).toEqual([
      'lines[0].threshold',
      'lines[1].threshold',
      'lines[1].level',
    ]);
    const falling = [
      { level: 'warning' as const, threshold: '80' },
      { level: 'error' as const, threshold: '80' },
    ];
    expect(ruleProblems({ ...draft, lines: falling })).toEqual({
      'lines[1].threshold': 'Must be higher than the line before it. Type another number.',
    });
  });

  it('adds a worse line until critical', () => {
    const draft = { ...draftOf(RULE), lines: [{ level: 'warning' as const, threshold: '80' }] };
    const two = withLine(draft);
    expect(two.lines).toEqual([...draft.lines, { level: 'error', threshold: '90' }]);
    expect(canAddLine(withLine(two))).toBe(false);
    expect(withLine(draftOf(OFFLINE)).lines).toHaveLength(1);
  });

  it('takes lines and times of the default rule when the metric changes', () => {
    const draft = withMetric({ ...draftOf(RULE), target: 'mount', where: { mount: '/' } }, 'offline', [RULE, OFFLINE]);
    expect(draft).toMatchObject({ metric: 'offline', target: 'all', holds: '3 min', lines: [{ level: 'critical' }] });
  });

  it('switches a stored rule off and keeps the rest', () => {
    expect(bodyOfRule(RULE, { enabled: false })).toMatchObject({ enabled: false, for_seconds: 300, lines: RULE.lines });
  });

  it.each([
    ['5 min', 300],
    ['5', 300],
    ['90s', 90],
    ['1.5 h', 5400],
    ['1 D', 86_400],
    ['0 s', 0],
    ['soon', null],
    ['-1', null],
    ['', null],
  ])('reads the time %j as %j seconds', (text, seconds) => expect(readDuration(text)).toBe(seconds));

  it.each([
    [300, '5 min'],
    [90, '90 s'],
    [7200, '2 h'],
    [86_400, '1 d'],
    [0, '0 s'],
  ])('writes %d seconds as %s', (seconds, text) => expect(durationText(seconds)).toBe(text));

  it('says what a rule applies to', () => {
    const servers = [{ id: SERVER, name: 'db-01' }];
    const words = (change: Partial<AlertRuleOnWire>) => targetWords({ ...RULE, ...change }, servers, []);
    expect([
      words({}),
      words({ metric: 'certificate_days' }),
      words({ metric: 'cluster_silent' }),
      words({ target: 'tag', tag_key: 'env', tag_value: 'prod' }),
      words({ target: 'tag', tag_key: 'ci' }),
      words({ target: 'server', server_id: SERVER }),
      words({ target: 'mount', mount: '/var', server_id: SERVER }),
      words({ target: 'mount', mount: '/var' }),
    ]).toEqual([
      'all servers',
      'all checks',
      'all clusters',
      'servers with env=prod',
      'servers with ci',
      'db-01',
      '/var on db-01',
      '/var on all servers',
    ]);
    expect([linesWords(RULE), linesWords(OFFLINE), metricWords('cpu_usage'), metricWords('gpu_usage')]).toEqual([
      '80 / 95 %',
      '',
      'CPU usage',
      'gpu usage',
    ]);
  });
});

describe('the edges of a rule', () => {
  const draft = draftOf(RULE);
  const withLines = (...thresholds: string[]) => ({
    ...draft,
    lines: draft.lines.map((line, index) => ({ ...line, threshold: thresholds[index] ?? line.threshold })),
  });

  it('are those that the API has: a day, the ends of the metric, and no more than the lowest line', () => {
    expect(ruleProblems({ ...draft, holds: '1 d', keeps: '24 h' })).toEqual({});
    expect(Object.keys(ruleProblems({ ...draft, holds: '86401 s', keeps: 'soon' })).toSorted()).toEqual([
      'for_seconds',
      'keep_firing_for_seconds',
    ]);
    expect(ruleProblems(withLines('80', '100'))).toEqual({});
    expect(ruleProblems(withLines('80', '100.1'))).toHaveProperty(['lines[1].threshold']);
    // At 80 points below a line of 80 the alert would resolve at 0 % only: it never would.
    expect(ruleProblems({ ...draft, hysteresis: '79.9' })).toEqual({});
    expect(ruleProblems({ ...draft, hysteresis: '80' })).toHaveProperty('hysteresis_points');
    expect(ruleProblems({ ...draft, hysteresis: '-1' })).toHaveProperty('hysteresis_points');
    expect(ruleProblems({ ...draft, hysteresis: '' })).toHaveProperty('hysteresis_points');
  });

  it.each(['holds', 'keeps', 'hysteresis'] as const)('a problem of "%s" is one that the API refuses, too', (field) => {
    const typed = { holds: '25 h', keeps: '25 h', hysteresis: '-1' }[field];
    const refused = alertRuleRequest.safeParse(bodyOf({ ...draft, [field]: typed }));
    expect([Object.keys(ruleProblems({ ...draft, [field]: typed })).length, refused.success]).toEqual([1, false]);
  });

  it('refuse a line that is empty, no number, or beyond its metric', () => {
    for (const typed of ['', '  ', 'eighty', 'NaN', '0', '101'])
      expect(ruleProblems(withLines(typed))).toHaveProperty(['lines[0].threshold']);
  });

  it('propose a worse line half-way to the end, and half as many days where lower is worse', () => {
    const one = { ...draft, lines: [{ level: 'warning' as const, threshold: '80' }] };
    expect(withLine(one).lines.at(-1)).toEqual({ level: 'error', threshold: '90' });
    const days = { ...one, metric: 'disk_forecast', lines: [{ level: 'warning' as const, threshold: '4' }] };
    expect(withLine(days).lines.at(-1)).toEqual({ level: 'error', threshold: '2' });
    const hours = { ...days, lines: [{ level: 'warning' as const, threshold: '0.5' }] };
    expect(withLine(hours).lines.at(-1)?.threshold).toBe('0.3');
    expect(withLine({ ...days, lines: [{ level: 'warning', threshold: '0.1' }] }).lines.at(-1)?.threshold).toBe('0.1');
  });

  it('replace the default of a metric by rules for everything alone', () => {
    const other = { ...RULE, metric: 'disk_usage', target: 'server', server_id: SERVER } satisfies AlertRuleOnWire;
    expect([...replacedDefaults([RULE, OFFLINE, other])]).toEqual(['cpu_usage', 'offline']);
    expect(replacedDefaults([other]).size).toBe(0);
  });
});
