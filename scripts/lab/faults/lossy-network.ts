import { execFileSync } from 'node:child_process';
import { startApi } from './api-process.ts';
import { delayingProxy } from './delaying-proxy.ts';
import { startLoad } from './load.ts';

/**
 * API and collectors on the loopback device of a network namespace that loses packets. Runs inside of the namespace;
 * lossy.ts makes it. The last line of its output is the verdict, JSON.
 */
const AGENTS = 20;
const seconds = Number(process.argv[2] ?? 60);

/** Sets the rules of the namespace. TCP connections see what a bad line does: lost segments and resets. */
function rules(ports: readonly number[], lossPercent: number, resetPercent: number): void {
  const set = `{ ${ports.join(', ')} }`;
  const lines = [
    `tcp dport ${set} numgen random mod 100 < ${String(lossPercent)} drop`,
    `tcp sport ${set} numgen random mod 100 < ${String(lossPercent)} drop`,
    `tcp dport ${set} numgen random mod 100 < ${String(resetPercent)} reject with tcp reset`,
  ];
  const text = `table inet faults\ndelete table inet faults\ntable inet faults {\nchain input {\ntype filter hook input priority 0;\n${lines.join('\n')}\n}\n}\n`;
  execFileSync('nft', ['-f', '-'], { input: text });
}

const api = await startApi({ PLIMSOLL_REPORT_INTERVAL_SECONDS: '1' });
const proxy = await delayingProxy(api.port);
const load = await startLoad(api, AGENTS, { url: proxy.url });
try {
  const figures: string[] = [];
  const phase = async (name: string): Promise<void> => {
    const before = load.acknowledged().length;
    await new Promise((next) => setTimeout(next, seconds * 1000));
    figures.push(`${name}: ${String(load.acknowledged().length - before)} in ${String(seconds)} s`);
    console.log(figures.at(-1));
  };
  await load.progress(AGENTS);
  rules([api.port, proxy.port], 20, 0);
  await phase('20 % loss');
  rules([api.port, proxy.port], 20, 3);
  await phase('20 % loss and 3 % resets');
  rules([api.port, proxy.port], 0, 0);
  proxy.delayMs = 1000;
  await phase('2 s latency');
  proxy.delayMs = 0;
  const verdict = await load.verdict();
  console.log(JSON.stringify({ ...verdict, figures: `${verdict.figures} (${figures.join('; ')})` }));
} finally {
  proxy.close();
  await load.stop();
  await api.remove();
}
