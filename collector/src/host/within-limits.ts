import {
  CORE_LIST,
  createListCutter,
  cutList,
  leftOutText,
  LIST_NAMES,
  REPORT_LISTS,
  type BoundedList,
  type ListName,
} from '@plimsoll/contract/rules/report-lists';
import type { Part, Source, Taken } from '../source.ts';

/** Cuts one list of a part and returns the note about it. */
type Cutter = (part: Part) => { part: Part; note: string | null };

function listCutter(name: ListName): Cutter {
  const list = REPORT_LISTS[name] as BoundedList<unknown>;
  const cut = createListCutter(list);
  return (part) => {
    const entries = part[name];
    if (entries === undefined) return { part, note: null };
    const kept = cut(entries);
    if (kept.length === entries.length) return { part, note: null };
    return { part: { ...part, [name]: kept }, note: leftOutText(list, entries.length) };
  };
}

const cutCores: Cutter = (part) => {
  const cores = part.cpu?.per_core_percent;
  if (part.cpu === undefined || cores === undefined || cores.length <= CORE_LIST.most) return { part, note: null };
  const kept = cutList(CORE_LIST, cores).entries as typeof cores;
  return {
    part: { ...part, cpu: { ...part.cpu, per_core_percent: kept } },
    note: leftOutText(CORE_LIST, cores.length),
  };
};

/**
 * Returns the source with its lists cut to the limits of a report, because the API refuses longer ones. An entry that was
 * sent keeps its place until it is gone, so no chart ends because another entry appears.
 */
export function withinLimits(source: Source): Source {
  const cutters: readonly Cutter[] = [...LIST_NAMES.map((name) => listCutter(name)), cutCores];
  return {
    name: source.name,
    ...(source.instant === true && { instant: true }),
    read: async (now): Promise<Taken> => {
      const taken = await source.read(now);
      const notes: string[] = [];
      let { part } = taken;
      for (const cutter of cutters) {
        const cut = cutter(part);
        ({ part } = cut);
        if (cut.note !== null) notes.push(cut.note);
      }
      if (notes.length === 0) return taken;
      return { part, note: [...notes, ...(taken.note === undefined ? [] : [taken.note])].join('; ') };
    },
  };
}
