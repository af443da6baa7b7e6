import { withUnit } from '@plimsoll/contract/rules/alert-metric-scales';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import type { RuleDraft } from '../types.ts';

const SECONDS = { min: 60, h: 3600, d: 86_400 } as const;

function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds > 0 && seconds % SECONDS.d === 0) return `${String(seconds / SECONDS.d)} d`;
  if (seconds > 0 && seconds % SECONDS.h === 0) return `${String(seconds / SECONDS.h)} h`;
  if (seconds > 0 && seconds % SECONDS.min === 0) return `${String(seconds / SECONDS.min)} min`;
  return `${String(seconds)} s`;
}

/** Returns the rule in words: "CPU at or above 80 % (warning) or 95 % (critical) for 5 min, clears 5 points lower for 5 min". */
export function ruleText(rule: RuleDraft): string {
  const { metric, lines, forMs, keepFiringForMs, hysteresisPoints } = rule;
  const { ruleName, unit, isWorseWhenLower = false } = ALERT_METRICS[metric];
  const held = forMs > 0 ? ` for ${durationText(forMs)}` : '';
  const kept = keepFiringForMs > 0 ? ` for ${durationText(keepFiringForMs)}` : '';
  if (unit === null) {
    const clears = kept === '' ? '' : `, clears when it is well${kept}`;
    return withState(rule, `${ruleName}${held} (${lines[0]?.level ?? ''})${clears}`);
  }
  const levels = lines
    .map(({ level, threshold }) =>
      unit === 's'
        ? `${durationText((threshold ?? 0) * 1000)} (${level})`
        : `${withUnit(String(threshold), unit)} (${level})`,
    )
    .join(' or ');
  const below =
    hysteresisPoints > 0
      ? `clears ${withUnit(String(hysteresisPoints), unit === '%' ? 'points' : unit)} ${isWorseWhenLower ? 'higher' : 'lower'}`
      : `clears ${isWorseWhenLower ? 'above' : 'below'} the line`;
  return withState(rule, `${ruleName} at or ${isWorseWhenLower ? 'below' : 'above'} ${levels}${held}, ${below}${kept}`);
}

const withState = ({ enabled }: RuleDraft, text: string): string => (enabled ? text : `Off: ${text}`);
