/**
 * Ten hostile senders of one door, below every other process. Run: sender.ts URL DOOR SECONDS, with the callers as JSON on
 * standard input. Writes how many answers of each status came, as JSON.
 */
import { readFileSync } from 'node:fs';
import { DOORS, type Caller, type Door } from './doors.ts';

const [url = '', name = '', seconds = '60'] = process.argv.slice(2);
const callers = JSON.parse(readFileSync(0, 'utf8')) as Caller[];
function doorNamed(): Door {
  const door = DOORS.find((one) => one.name === name);
  if (door === undefined) throw new Error(`no such door: ${name}`);
  return door;
}
const door = doorNamed();

const made = door.isSlowToMake === true ? new Map(callers.map((caller) => [caller, door.request(caller, 0)])) : null;
const until = Date.now() + Number(seconds) * 1000;
const counts: Record<string, number> = {};

async function send(caller: Caller): Promise<void> {
  for (let round = 0; Date.now() < until; round += 1) {
    const { path, headers, body } = made?.get(caller) ?? door.request(caller, round);
    const status = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${caller.token}` },
      body,
      signal: AbortSignal.timeout(30_000),
    }).then(
      async (response) => {
        await response.arrayBuffer();
        return String(response.status);
      },
      () => 'lost',
    );
    counts[status] = (counts[status] ?? 0) + 1;
  }
}

await Promise.all(callers.map(send));
process.stdout.write(JSON.stringify(counts));
