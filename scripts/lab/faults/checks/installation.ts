import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../../e2e/product.ts';
import { type ApiProcess, send, signIn, startApi } from '../api-process.ts';
import type { Found, Sample } from './judge.ts';
import { type Place, startPlaces } from './places.ts';

const PLACES = 3;
const REPORT_SECONDS = 5;
export const INTERVAL_SECONDS = 20;
const TIMEOUT_MS = 2000;
/** Votes last three intervals and a timeout; then the place has to run, report, and be judged. */
export const LINGER_MS = (4 * INTERVAL_SECONDS + 3 * REPORT_SECONDS + 20) * 1000 + TIMEOUT_MS;
const LOOK_MS = 1000;

interface Detail {
  status: string;
  needed: number;
  votes: Sample['votes'];
  outages: { kind: Found['kind']; began_at: string; ended_at: string | null }[];
}

/** A check under watch: every answer about it is kept. */
export interface Watched {
  name: string;
  id: string;
  samples: Sample[];
}

/** An API with places that run checks, and someone who looks at their pages each second. */
export interface Installation {
  api: ApiProcess;
  places: Place[];
  /** Creates a check that runs from these places. */
  watch(name: string, url: string, places: readonly Place[]): Promise<Watched>;
  /** Waits until the page of a check says so. */
  becomes(check: Watched, status: string): Promise<unknown>;
  outagesOf(check: Watched): Promise<Found[]>;
  remove(): Promise<void>;
}

export async function startInstallation(): Promise<Installation> {
  const api = await startApi({
    PLIMSOLL_REPORT_INTERVAL_SECONDS: String(REPORT_SECONDS),
    PLIMSOLL_CHECK_NETWORKS: '127.0.0.0/8',
  });
  const places = await startPlaces(api, PLACES, REPORT_SECONDS);
  const session = await signIn(api.url);
  const watched: Watched[] = [];
  const read = async ({ id }: Watched): Promise<Detail> => {
    const { data } = await send<{ data: { check: Detail } }>('GET', `${api.url}/api/checks/${id}`, undefined, session);
    return data.check;
  };
  const stop = new AbortController();
  const looking = (async () => {
    while (!stop.signal.aborted) {
      for (const check of watched) {
        // While the API is dead there is no answer to judge.
        const answer = await read(check).catch(() => null);
        if (answer !== null)
          check.samples.push({ at: Date.now(), status: answer.status, needed: answer.needed, votes: answer.votes });
      }
      await delay(LOOK_MS);
    }
  })();
  return {
    api,
    places,
    watch: async (name, url, from) => {
      const { data } = await send<{ data: { check: { check_id: string } } }>(
        'POST',
        `${api.url}/api/checks`,
        {
          name,
          probe: { kind: 'http', url, timeout_ms: TIMEOUT_MS },
          places: { api: false, server_ids: from.map(({ serverId }) => serverId) },
          retries: 0,
          interval_seconds: INTERVAL_SECONDS,
        },
        session,
      );
      const check: Watched = { name, id: data.check.check_id, samples: [] };
      watched.push(check);
      return check;
    },
    becomes: (check, status) => {
      const since = Date.now();
      const isSo = (): boolean => {
        const last = check.samples.at(-1);
        return last !== undefined && last.at >= since && last.status === status;
      };
      return until(`${check.name} to be ${status}`, isSo, 180);
    },
    outagesOf: async (check) => {
      const { outages } = await read(check);
      const ms = (text: string): number => Date.parse(text);
      return outages.map(({ kind, began_at: began, ended_at: ended }) => ({
        kind,
        began: ms(began),
        ended: ended === null ? null : ms(ended),
      }));
    },
    remove: async () => {
      stop.abort();
      await looking;
      await Promise.all(places.map((place) => place.end()));
      await api.remove();
    },
  };
}
