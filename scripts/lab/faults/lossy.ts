import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../../lib/web-build.ts';
import type { Fault, Verdict } from './fault.ts';

/** Packet loss, resets and latency in a network namespace of its own: no other traffic of the machine is touched. */
export const lossy: Fault = {
  name: 'lossy-network',
  does: '20 % packet loss, then 3 % of packets answered with a reset besides, then 2 s latency; 20 collectors report each second',
  minutes: 5,
  missing: () => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0)
      return 'needs Linux and root, for a network namespace';
    const absent = ['/usr/sbin/nft', '/usr/sbin/ip'].filter((file) => !existsSync(file));
    return absent.length === 0 ? null : `needs ${absent.join(' and ')}: apt-get install nftables iproute2`;
  },
  run: async ({ isQuick, log }) => {
    const namespace = `plimsoll-${String(process.pid)}`;
    execFileSync('ip', ['netns', 'add', namespace]);
    try {
      execFileSync('ip', ['-n', namespace, 'link', 'set', 'lo', 'up']);
      return await runInside(namespace, isQuick ? 15 : 60, log);
    } finally {
      execFileSync('ip', ['netns', 'del', namespace]);
    }
  },
};

async function runInside(namespace: string, seconds: number, log: (line: string) => void): Promise<Verdict> {
  const script = join(ROOT, 'scripts/lab/faults/lossy-network.ts');
  const child = spawn('ip', ['netns', 'exec', namespace, process.execPath, script, String(seconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let last = '';
  for await (const line of createInterface({ input: child.stdout })) {
    last = line;
    if (!line.startsWith('{')) log(line);
  }
  if (!last.startsWith('{')) throw new Error('the run inside of the network namespace ended without a verdict');
  return JSON.parse(last) as Verdict;
}
