import { existsSync, writeFileSync } from 'node:fs';
import { hostParts, hostSources, spoolDisk, stateDisk } from '../host-agent.ts';
import { orNull } from '../runtime/or-null.ts';
import { collect } from '../report.ts';
import { droppedLedger } from '../send/dropped.ts';
import { readStatus } from '../send/status.ts';
import type { Settings } from '../settings.ts';
import { VERSION } from '../version.ts';
import { examine } from './check.ts';
import type { Command, Invocation } from './command.ts';
import { describeSettings } from './config.ts';
import { EXIT } from './exit.ts';

export const supportBundleCommand: Command = {
  summary: 'Write what helps others to find a fault, without secrets',
  help: `plimsoll support-bundle [--output FILE]

Settings without secrets, findings of "plimsoll check", the state of the service and one report as it would travel:
addresses masked, command lines redacted. FILE is readable by its owner only; without it the bundle is printed.
Read it before you pass it on.
Exit status: 0 written, 1 failed, 64 wrong use or setting.`,
  options: { output: true },
  run: async (invocation) => {
    const text = `${JSON.stringify(await makeBundle(invocation), null, 2)}\n`;
    const file = invocation.options['output'];
    if (typeof file !== 'string') {
      invocation.terminal.out(text);
      return EXIT.ok;
    }
    // "wx": never over a file that is there, nor through a link.
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    invocation.terminal.out(`Written to ${file}\n`);
    return EXIT.ok;
  },
};

async function makeBundle(invocation: Invocation): Promise<object> {
  const loaded = invocation.settings();
  const { files, clock, milliseconds } = hostParts(loaded.settings, invocation.terminal.err, false);
  const now = { ts: clock.wall(), up: clock.up() };
  const collected = await collect(hostSources(loaded.settings, files), now, null, milliseconds);
  return {
    version: VERSION,
    runtime: process.versions['bun'] === undefined ? `node ${process.versions.node}` : `bun ${process.versions['bun']}`,
    made_at: new Date(now.ts * 1000).toISOString(),
    settings: describeSettings(loaded),
    findings: await examine(invocation),
    status: existsSync(loaded.settings.state_dir) ? orNull(() => readStatus(stateDisk(loaded.settings))) : null,
    spool: describeSpool(loaded.settings),
    ...collected,
  };
}

/** Null where there is none, and none is made: as root it would be closed to the service. The findings say why. */
function describeSpool(settings: Settings): object | null {
  if (!existsSync(`${settings.state_dir}/spool`)) return null;
  return orNull(() => {
    const disk = spoolDisk(settings);
    const ledger = droppedLedger(disk);
    const files = disk.list().map((name) => ({ name, bytes: disk.read(name).length }));
    return { files, free: disk.free(), dropped: ledger.streams().flatMap((stream) => ledger.of(stream)) };
  });
}
