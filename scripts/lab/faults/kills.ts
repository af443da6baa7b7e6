import { startApi } from './api-process.ts';
import type { Fault } from './fault.ts';
import { startLoad } from './load.ts';

const AGENTS = 20;
/** Kills of each, in turn: a start of the database takes longest. */
const ROUNDS = 20;
const KILLS_A_ROUND = 5;

/** Kills API, database and collectors again and again while reports come in. */
export const kills: Fault = {
  name: 'kills',
  does: 'kill −9 of the API 100 times, of the collectors 100 times and of the database 20 times, under 20 reports a second',
  minutes: 15,
  run: async ({ isQuick, log }) => {
    const api = await startApi({ PLIMSOLL_REPORT_INTERVAL_SECONDS: '1' });
    const load = await startLoad(api, AGENTS);
    try {
      const counts = { api: 0, collectors: 0, database: 0 };
      for (let round = 0; round < (isQuick ? 1 : ROUNDS); round += 1) {
        for (let kill = 0; kill < KILLS_A_ROUND; kill += 1) {
          await load.progress(AGENTS);
          process.kill(api.pid(), 'SIGKILL');
          counts.api += 1;
          await load.restart();
          counts.collectors += 1;
        }
        await load.progress(AGENTS);
        process.kill(api.postmaster(), 'SIGKILL');
        counts.database += 1;
        log(JSON.stringify(counts));
      }
      await load.progress(AGENTS);
      return await load.verdict();
    } finally {
      await load.stop();
      await api.remove();
    }
  },
};
