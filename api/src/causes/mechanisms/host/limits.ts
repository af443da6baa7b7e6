import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import type { ServerSeen } from '../../evidence.ts';
import { fixed } from '../../figures.ts';
import { hostMechanism } from '../../host-moment.ts';
import { quote } from '../../words.ts';

/** Share of a limit of the kernel from which programs are refused now and then. */
const FULL_PERCENT = 95;
type Limit = Exclude<keyof NonNullable<ServerSeen['limits']>, 'clockSynchronized'>;
const LIMITS: Readonly<Record<Limit, { setting: string; says: RegExp; finding: string; next: string }>> = {
  conntrack: {
    setting: 'net.netfilter.nf_conntrack_max',
    says: /conntrack.{0,80}(?:full|drop)/i,
    finding: 'The table of tracked connections is full, and packets of new ones are dropped.',
    next: 'Raise `net.netfilter.nf_conntrack_max`, and see which networks open the connections.',
  },
  openFiles: {
    setting: 'fs.file-max',
    says: /file-max|too many open files in system/i,
    finding: 'The host has no open file left to give.',
    next: 'Find who holds them (`lsof | sort`), and raise `fs.file-max`.',
  },
  ephemeralPorts: {
    setting: 'net.ipv4.ip_local_port_range',
    says: /EADDRNOTAVAIL|cannot assign requested address/i,
    finding: 'The host has no port left for outgoing connections.',
    next: 'Reuse connections (keep-alive, a pool), or widen `net.ipv4.ip_local_port_range`.',
  },
};

/** A limit of the kernel is reached: whoever asks next is refused. */
export const limitReached = hostMechanism(
  'kernel_limit',
  'Limit of the kernel reached',
  ({ limits, said, changes, at }) => {
    const [full] = (Object.keys(LIMITS) as Limit[]).flatMap((name) => {
      const { used, max } = limits?.[name] ?? { used: 0, max: null };
      const line = said.find(({ text }) => LIMITS[name].says.test(text));
      const isFull = max !== null && max > 0 && (100 * used) / max >= FULL_PERCENT;
      // Only the kernel speaks of that table; a program may speak of another limit of its own.
      return isFull || (line !== undefined && name === 'conntrack')
        ? [{ ...LIMITS[name], used, max, line, isFull }]
        : [];
    });
    if (full === undefined) return null;
    const { finding, next, used, max, line, isFull, setting } = full;
    const change = changes.find(
      (one) => one.at <= at && one.at > at - HOUR_SECONDS && one.fields.some(({ field }) => field === setting),
    );
    return {
      brings: ['failing', 'connections', 'traffic', 'unit', 'crash', 'silent', 'other'],
      specificity: 'stated',
      since: change?.at ?? line?.at ?? null,
      change,
      finding,
      evidence: [
        isFull && max !== null && `${String(used)} of ${String(max)} are in use, ${fixed((100 * used) / max)} %`,
        quote(line),
      ],
      next,
    };
  },
);
