import type { Source } from '../../source.ts';
import type { Files } from '../../runtime/files.ts';

const COUNT = 'proc/sys/net/netfilter/nf_conntrack_count';
const MOST = 'proc/sys/net/netfilter/nf_conntrack_max';

/** Connections that the firewall of the kernel tracks, of the most it can. A full table drops the packets of new ones. */
export function conntrackSource(files: Files): Source {
  return {
    name: 'conntrack',
    instant: true,
    read: async () => {
      const [used, max] = [COUNT, MOST].map((path) => wholeNumber(files.optional(path)));
      if (used == null || max == null) return { part: {}, note: 'the kernel tracks no connections' };
      return { part: { conntrack: { used, max: max === 0 ? null : max } } };
    },
  };
}

/** Null: there is no such file, or it holds something else. */
const wholeNumber = (text: string | null): number | null =>
  text !== null && /^\d+$/.test(text.trim()) ? Number(text) : null;
