import type { ServerSeen } from '../../evidence.ts';
import { fixed } from '../../figures.ts';
import { hostMechanism } from '../../host-moment.ts';

/** Share of a limit of the kernel from which programs are refused now and then. */
const FULL_PERCENT = 95;
type Limit = Exclude<keyof NonNullable<ServerSeen['limits']>, 'clockSynchronized'>;
const LIMITS: Readonly<Record<Limit, { finding: string; next: string }>> = {
  conntrack: {
    finding: 'The table of tracked connections is full, and packets of new ones are dropped.',
    next: 'Raise `net.netfilter.nf_conntrack_max`, and see which networks open the connections.',
  },
  openFiles: {
    finding: 'The host has no open file left to give.',
    next: 'Find who holds them (`lsof | sort`), and raise `fs.file-max`.',
  },
  ephemeralPorts: {
    finding: 'The host has no port left for outgoing connections.',
    next: 'Reuse connections (keep-alive, a pool), or widen `net.ipv4.ip_local_port_range`.',
  },
};

/** A limit of the kernel is reached: whoever asks next is refused. */
export const limitReached = hostMechanism(
  'kernel_limit',
  'Limit of the kernel reached',
  { brings: ['failing', 'connections', 'traffic', 'unit', 'crash', 'silent', 'other'] },
  ({ limits }) => {
    const [full] = (Object.keys(LIMITS) as Limit[]).flatMap((name) => {
      const { used, max } = limits?.[name] ?? { used: 0, max: null };
      return max !== null && max > 0 && (100 * used) / max >= FULL_PERCENT ? [{ ...LIMITS[name], used, max }] : [];
    });
    if (full === undefined) return null;
    const { finding, next, used, max } = full;
    return {
      specificity: 'stated',
      finding,
      evidence: [`${String(used)} of ${String(max)} are in use, ${fixed((100 * used) / max)} %`],
      next,
    };
  },
);
