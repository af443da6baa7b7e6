import { PROCESS_HISTORY } from '@plimsoll/contract/rules/limits';
import type { Process, ProcessesAnswer, ProcessSnapshotAnswer } from '@plimsoll/contract/wire/processes';
import { fleetProcessesAtQuery, processesQuery, processSnapshotQuery } from '../../api/processes.ts';
import type { ProcessRank } from '../../api/processes.ts';
import { useQuery, type Asked } from '../../api/query.ts';
import { dayAndTime } from '../../time/zone.ts';

interface Nothing {
  sentence: string;
  reason: string;
}

export interface ShownProcesses {
  asked: Asked<ProcessesAnswer> | Asked<ProcessSnapshotAnswer>;
  processes: readonly Process[];
  total: number;
  /** The stored list of one server at the chosen moment. */
  snapshot: ProcessSnapshotAnswer | null;
  /** Why the list of the chosen moment is empty; null now. */
  nothing: Nothing | null;
}

const byMemory = (a: Process, b: Process): number => b.memory_kb - a.memory_kb;

/** Says why no list is known of a moment. */
function nothingThen(at: number, keptSince: number): Nothing {
  const sentence = `No process list of ${dayAndTime(at * 1000)}`;
  if (at < keptSince) return { sentence, reason: `Lists are kept since ${dayAndTime(keptSince * 1000)}.` };
  return { sentence, reason: `No list was stored in the ${PROCESS_HISTORY.reachSeconds / 60} minutes before.` };
}

/** The processes of now, or those of a moment: of one server by its nearest list, else the ranking of the fleet. */
export function useProcesses(rank: ProcessRank, server: string, at: number | null): ShownProcesses {
  const now = useQuery({ ...processesQuery(rank, server === '' ? undefined : server), enabled: at === null });
  const then = useQuery({ ...processSnapshotQuery(server, at ?? 0), enabled: at !== null && server !== '' });
  const fleet = useQuery({ ...fleetProcessesAtQuery(rank, at ?? 0), enabled: at !== null && server === '' });
  if (at !== null && server !== '') {
    const listed = then.data?.processes ?? [];
    return {
      asked: then,
      processes: rank === 'memory' ? listed.toSorted(byMemory) : listed,
      total: listed.length,
      snapshot: then.data ?? null,
      nothing: nothingThen(at, then.data?.kept_since ?? 0),
    };
  }
  const asked = at === null ? now : fleet;
  const nothing = at === null ? null : nothingThen(at, 0);
  return { asked, processes: asked.data?.processes ?? [], total: asked.data?.total ?? 0, snapshot: null, nothing };
}
