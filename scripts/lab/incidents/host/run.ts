import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { errorText } from '@plimsoll/contract/rules/error-text';
import { say, step } from '../../../cluster/shell.ts';
import { makeKit, publish } from '../../install/kits.ts';
import { type Machine, bootMachine } from '../../install/machine.ts';
import { namedByJournal } from '../baseline.ts';
import type { Incident } from '../incident.ts';
import { withUndo } from '../cleanup.ts';
import { type Installation, shortenRules, startInstallation } from '../installation.ts';
import { observe } from '../observe.ts';
import { type RunResult, keep, summaryOf } from '../results.ts';
import { AGENT_CONFIG, WEB_PORT, installPrograms, writeInside } from './programs.ts';

const PORT = 18_430;
const VERSION = '0.2.0';
const HEALTHY_SECONDS = 60;
/** Duration of one run, for the estimate. */
const MINUTES = 4;
/** A disk of memory that a fault can fill, and few enough inodes. */
const DISK = 'size=900m,nr_inodes=30000';
/** Machines of the lab share processor, memory and load with everything else on this one. */
const SHARED = ['cpu_usage', 'memory_usage', 'swap_usage', 'io_wait', 'load_per_core', 'oom_kill', 'disk_forecast'];

interface Options {
  results: string;
  /** Keeps the database and the install kit between two runs. */
  folder: string;
  app: string;
}

interface Planned {
  incident: Incident<Machine>;
  round: number;
}

/** Runs the incidents of hosts one after the other, each on a machine of its own. */
export async function runHosts(planned: Planned[], { results, folder, app }: Options): Promise<number> {
  if (planned.length === 0) return 0;
  const agentDir = join(folder, 'agent');
  mkdirSync(agentDir, { recursive: true });
  if (!existsSync(join(agentDir, VERSION)))
    await step('the install kit', async () => {
      await makeKit(agentDir, VERSION, 'works');
      publish(agentDir, VERSION);
    });
  const place = { app, host: '0.0.0.0', port: PORT, folder, agentDir, checkNetworks: '198.18.0.0/15' };
  const installation = await step('the API', () => startInstallation(place));
  let failed = 0;
  await withUndo(installation.stop, async () => {
    say(`${String(await shortenRules(installation, SHARED))} rules wait a sixth`);
    for (const [index, { incident, round }] of planned.entries()) {
      try {
        const result = await runOnMachine(installation, incident, round);
        keep(results, result);
        say(summaryOf(result));
      } catch (error) {
        failed++;
        say(`${incident.name}: not made: ${errorText(error)}`);
      }
      say(
        `${String(planned.length - index - 1)} host runs left, about ${String((planned.length - index - 1) * MINUTES)} minutes`,
      );
    }
  });
  return failed === 0 ? 0 : 1;
}

interface ListedServer {
  id: string;
  status: string;
}

/** Installs the collector as Setup's command does. Returns the id of the new server. */
async function installCollector(installation: Installation, machine: Machine): Promise<string> {
  const list = async () => (await installation.get<{ servers: ListedServer[] }>('/api/servers/list'))?.servers ?? [];
  const before = new Set((await list()).map(({ id }) => id));
  const { token } = await installation.post<{ token: string }>('/api/user/enrolment-tokens', {});
  const url = `http://${machine.hostAddress}:${String(PORT)}`;
  writeInside(machine, '/etc/plimsoll/agent.conf', AGENT_CONFIG);
  const script = await fetch(`http://127.0.0.1:${String(PORT)}/install.sh`).then((answer) => answer.text());
  const options = script.includes('--with-journal') ? '--with-journal' : '';
  await machine.sh(
    `curl -fsSL ${url}/install.sh | sh -s -- --url ${url} --token ${token} --allow-http --non-interactive ${options}`,
  );
  const server = (await list()).find(({ id }) => !before.has(id));
  if (!server) throw new Error('the collector is installed and no new server is listed');
  return server.id;
}

const addressOf = (machine: Machine): string => machine.hostAddress.replace(/\d+$/, (last) => String(Number(last) + 1));

async function runOnMachine(
  installation: Installation,
  incident: Incident<Machine>,
  round: number,
): Promise<RunResult> {
  const machine = await bootMachine({ disk: DISK });
  return withUndo(
    () => machine.stop(),
    async () => {
      await installPrograms(machine);
      const serverId = await installCollector(installation, machine);
      const checkName = `web of ${serverId.slice(0, 8)}`;
      const { check } = await installation.post<{ check: { check_id: string } }>('/api/checks', {
        name: checkName,
        probe: { kind: 'http', url: `http://${addressOf(machine)}:${String(WEB_PORT)}/`, timeout_ms: 5000 },
        interval_seconds: 20,
        retries: 1,
        server_id: serverId,
      });
      const forget = async (): Promise<void> => {
        await installation.remove(`/api/checks/${check.check_id}`);
        // A server that is gone would be offline beside the next run.
        await installation.remove('/api/servers/delete', { server_id: serverId });
      };
      return withUndo(forget, async () => {
        await setTimeout(HEALTHY_SECONDS * 1000);
        const watch = {
          installation,
          isOwn: (alert: Alert) => alert.server_id === serverId || JSON.stringify(alert).includes(checkName),
          namespace: null,
          place: 'host' as const,
          baseline: async (since: Date) => namedByJournal(await journal(machine, since)),
        };
        return observe(incident, machine, watch, round);
      });
    },
  );
}

const journal = (machine: Machine, since: Date): Promise<string> =>
  machine.sh(`journalctl -p err -o json --no-pager --since=@${String(Math.floor(since.getTime() / 1000))}`);
