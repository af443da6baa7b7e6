import { PROCESS_HISTORY } from '@plimsoll/contract/rules/limits';
import type {
  FleetSnapshotAnswer,
  Process,
  ProcessesAnswer,
  ProcessSnapshotAnswer,
} from '@plimsoll/contract/wire/processes';
import { fleetProcessesAtQuery, processesQuery, processSnapshotQuery } from '../../api/processes.ts';
import type { ProcessRank } from '../../api/processes.ts';
import { useQuery, type Asked } from '../../api/query.ts';
import { dayAndTime } from '../../time/zone.ts';

interface Nothing {
  sentence: string;
  reason: string;
}

export interface ShownProcesses {
  asked: Asked<ProcessesAnswer> | Asked<ProcessSnapshotAnswer> | Asked<FleetSnapshotAnswer>;
  processes: readonly Process[];
  total: number;
  /** The stored list of one server at the chosen moment. */
  snapshot: ProcessSnapshotAnswer | null;
  /** The merged lists of all servers at the chosen moment. */
  fleet: FleetSnapshotAnswer | null;
  /** Why the list of the chosen moment is empty; null now. */
  nothing: Nothing | null;
}

const byMemory = (a: Process, b: Process): number => b.memory_kb - a.memory_kb;

/** Says why no list is known of a moment. */
function nothingThen(at: number, keptSince: number): Nothing {
  const sentence = `No process list of ${dayAndTime(at * 1000)}`;
  if (at < keptSince) return { sentence, reason: `Lists are kept since ${dayAndTime(keptSince * 1000)}.` };
  return { sentence, reason: `No list was stored within ${PROCESS_HISTORY.reachSeconds / 60} minutes.` };
}

/** The processes of now, or those of a moment: of one server by its nearest list, else those of every server merged. */
export function useProcesses(rank: ProcessRank, server: string, at: number | null): ShownProcesses {
  const now = useQuery({ ...processesQuery(rank, server === '' ? undefined : server), enabled: at === null });
  const then = useQuery({ ...processSnapshotQuery(server, at ?? 0), enabled: at !== null && server !== '' });
  const fleet = useQuery({ ...fleetProcessesAtQuery(rank, at ?? 0), enabled: at !== null && server === '' });
  if (at === null)
    return {
      asked: now,
      processes: now.data?.processes ?? [],
      total: now.data?.total ?? 0,
      snapshot: null,
      fleet: null,
      nothing: null,
    };
  const asked = server === '' ? fleet : then;
  const listed = asked.data?.processes ?? [];
  const isResorted = server !== '' && rank === 'memory';
  return {
    asked,
    processes: isResorted ? listed.toSorted(byMemory) : listed,
    total: server === '' ? (fleet.data?.total ?? 0) : listed.length,
    snapshot: server === '' ? null : (then.data ?? null),
    fleet: server === '' ? (fleet.data ?? null) : null,
    nothing: nothingThen(at, asked.data?.kept_since ?? 0),
  };
}
