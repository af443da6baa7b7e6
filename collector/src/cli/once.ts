import { hostParts, hostSources } from '../host-agent.ts';
import { collect, prime } from '../report.ts';
import { VERSION } from '../version.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit.ts';

/** Seconds between the two readings rates are made of. */
const WINDOW_SECONDS = 1;

export const onceCommand: Command = {
  summary: 'Collect once and print exactly what would be sent',
  help: `plimsoll once --print

Collects for one second and prints the report as JSON: masked and redacted as it would travel. Nothing is sent.
Exit status: 0 every source answered, 1 at least one failed (named under agent.sources).`,
  options: { print: false },
  run: async ({ terminal, settings, signal }) => {
    const { settings: loaded } = settings();
    const { bootId, clock, files, milliseconds } = hostParts(loaded, terminal.err, terminal.interactive);
    const sources = hostSources(loaded, files);
    const started = { ts: clock.wall(), up: clock.up() };
    await prime(sources, started);
    await clock.sleep(WINDOW_SECONDS, signal);
    const now = { ts: clock.wall(), up: clock.up() };
    const { report, sources: health } = await collect(sources, now, now.up - started.up, milliseconds);
    const nothing = { spool_bytes: 0, spool_oldest_age_seconds: null, retries: 0, last_error: null };
    const agent = { version: VERSION, ...nothing, clock_skew_seconds: null, sources: health };
    terminal.out(`${JSON.stringify({ seq: 1, boot_id: bootId, ...report, agent }, null, 2)}\n`);
    return Object.values(health).every(({ ok }) => ok) ? EXIT.ok : EXIT.failed;
  },
};
