import { redactArguments, redactCommand } from '../../api/contract/redact.ts';

const SIZES = [65_536, 262_144, 1_048_576];
/** Repeated until the size is reached: what is worst for a pattern that backtracks. */
const HOSTILE = {
  'key=value': 'password=a&',
  'nested =': 'a=',
  urls: 'https://u:p@h/',
  'no host': '://',
  quotes: '"\'',
  'open brackets': '[[{(',
  colons: 'a:b:',
  dashes: '--',
  blanks: 'a  ',
  header: 'Authorization: ',
  tokens: 'ghp_',
};

function milliseconds(work: () => unknown): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

export const help = `CPU of redacting hostile command lines, whose cost has to grow as their size. It takes no options.`;

export async function main(): Promise<void> {
  console.log(
    `${'hostile text'.padEnd(16)}${SIZES.map((size) => `${size / 1024} KiB`.padStart(12)).join('')}${'× per ×16'.padStart(12)}`,
  );
  for (const [name, unit] of Object.entries(HOSTILE)) {
    const times = SIZES.map((size) => {
      const text = unit.repeat(Math.ceil(size / unit.length));
      redactCommand(text.slice(0, 4096));
      return milliseconds(() => [redactCommand(text), redactArguments([text])]) / 2;
    });
    const growth = (times.at(-1) ?? 0) / Math.max(0.1, times[0] ?? 0);
    console.log(
      `${name.padEnd(16)}${times.map((time) => `${time.toFixed(1)} ms`.padStart(12)).join('')}${growth.toFixed(1).padStart(12)}`,
    );
  }
}
