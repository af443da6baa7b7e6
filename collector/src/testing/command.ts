import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../cli/main.ts';
import { diskAt } from '../runtime/disk.ts';
import { writeCredentials } from '../send/credentials.ts';
import { SERVER_ID } from './loopback-api.ts';
import { temporaryFolder } from './folder.ts';

export interface Ran {
  status: number;
  out: string;
  err: string;
}

/** Runs one command word in this process, on a terminal that keeps what is said. */
export async function plimsoll(argv: readonly string[], signal = new AbortController().signal): Promise<Ran> {
  const said = { out: '', err: '' };
  const terminal = {
    out: (text: string) => void (said.out += text),
    // As main.ts: what is said beside the result ends with its line.
    err: (text: string) => void (said.err += text.endsWith('\n') ? text : `${text}\n`),
    interactive: false,
  };
  return { status: await runCommandLine(argv, terminal, signal), ...said };
}

export interface Installed {
  state: string;
  /** Words for the command line that name the settings. */
  config: ['--config', string];
}

/** A settings file and a state directory of a host; sources that ask other programs are left out. */
export function installed(settings: Record<string, string> = {}): Installed {
  const folder = temporaryFolder();
  const state = join(folder, 'state');
  const file = join(folder, 'agent.conf');
  const all = { state_dir: state, disabled_sources: 'units', ...settings };
  writeFileSync(
    file,
    Object.entries(all)
      .map(([key, value]) => `${key} = ${value}\n`)
      .join(''),
  );
  return { state, config: ['--config', file] };
}

/** The same, of a host that was enrolled. */
export function enrolled(settings: Record<string, string> = {}, token = 'plm_agent_secret'): Installed {
  const host = installed(settings);
  writeCredentials(diskAt(host.state), { server_id: SERVER_ID, agent_token: token });
  return host;
}
