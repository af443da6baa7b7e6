import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');
/** An OpenTelemetry Collector with the parts that docs/bring-your-agent.md names. */
export const COLLECTOR = join(ROOT, '.cache/otelcol/otelcol');

/** Builds it, which takes some minutes. Does nothing without Go. */
export function buildCollector(): void {
  if (spawnSync('go', ['version']).status !== 0) return;
  const args = ['build', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', '-o', COLLECTOR, '.'];
  execFileSync('go', args, { cwd: import.meta.dirname, stdio: ['ignore', 'ignore', 'inherit'] });
}
