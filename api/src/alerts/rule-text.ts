import type { RuleDraft } from './types.ts';

const NAMES = { cpu_usage: 'CPU', memory_usage: 'Memory', disk_usage: 'Disk' } as const;
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
  if (metric === 'offline') return withState(rule, `No report for ${durationText(forMs)} (${lines[0]?.level ?? ''})`);
  const levels = lines.map(({ level, threshold }) => `${String(threshold)} % (${level})`).join(' or ');
  const held = forMs > 0 ? ` for ${durationText(forMs)}` : '';
  const below = hysteresisPoints > 0 ? `clears ${String(hysteresisPoints)} points lower` : 'clears below the line';
  const kept = keepFiringForMs > 0 ? ` for ${durationText(keepFiringForMs)}` : '';
  return withState(rule, `${NAMES[metric]} at or above ${levels}${held}, ${below}${kept}`);
}

const withState = ({ enabled }: RuleDraft, text: string): string => (enabled ? text : `Off: ${text}`);
