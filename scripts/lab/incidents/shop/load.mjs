import { log, reasonOf, required } from './parts.mjs';

/** Visits the shop `RATE` times a second, and buys at every second visit. Says once in ten seconds how it went. */
export async function load(environment) {
  const front = required(environment, 'FRONT_URL');
  const rate = Number(environment.RATE ?? 1);
  let good = 0;
  const problems = new Map();
  let visits = 0;
  const visit = async () => {
    const buys = visits++ % 2 === 1;
    try {
      const answer = await fetch(front + (buys ? '/checkout' : '/'), {
        method: buys ? 'POST' : 'GET',
        signal: AbortSignal.timeout(5000),
      });
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      good++;
    } catch (error) {
      const reason = reasonOf(error);
      problems.set(reason, (problems.get(reason) ?? 0) + 1);
    }
  };
  setInterval(() => void visit(), 1000 / rate);
  setInterval(() => {
    for (const [reason, count] of problems) log('ERROR', `${count} visits failed: ${reason}`);
    log('INFO', `${good} visits`);
    good = 0;
    problems.clear();
  }, 10_000);
}
