import { clock, fixed, HOUR, megabytesPerSecond } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { hostMechanism, process, type Find, type HostMoment } from '../../host-moment.ts';
import { riseOf, shiftOf } from '../../shift.ts';
import { isNew, programsOf } from '../../suspects.ts';
import { trafficOf } from './cpu.ts';

/** Below this share of what it was, traffic has dropped. */
const DROPPED = 0.2;
const LEAST_TRAFFIC = 10 * 1024;

const LINK = /\blink\b|\bcarrier\b|\beth\d|\bbond\d|\bNIC\b/i;
const PATH = /interface|firewall|iptables|nft/i;
/** Messages about the network within an hour of a moment, the newest first. */
const toldNear = ({ events }: HostMoment, moment: number, about: RegExp): string[] =>
  events
    .filter(({ message, at }) => Math.abs(at - moment) < HOUR && about.test(message))
    .toSorted((a, b) => b.at - a.at)
    .map(({ message }) => message);

const networkDrop: Find = (evidence) => {
  const { series, at } = evidence;
  const receive = shiftOf(series.receive, at);
  const transmit = shiftOf(series.transmit, at);
  if (receive === null || transmit === null) return null;
  const was = receive.was + transmit.was;
  const is = Math.min(receive.is + transmit.is, receive.last + transmit.last);
  if (was < LEAST_TRAFFIC || is > DROPPED * was) return null;
  const [told] = toldNear(evidence, receive.onset, new RegExp(`${LINK.source}|${PATH.source}`, 'i'));
  return {
    id: 'network_drop',
    specificity: 'changed',
    since: receive.onset,
    finding: 'The network traffic of the host broke off.',
    evidence: [
      `${megabytesPerSecond(was)} → ${megabytesPerSecond(is)} in both directions at ${clock(receive.onset)}`,
      told !== undefined && told,
    ],
    next: 'Check link and switch, the load balancer in front, and whether the service still accepts connections.',
  };
};

/** Half-open connections that no healthy server has. */
const SYN_FLOOD = 50;
const networkFlood: Find = (evidence) => {
  const { series, at } = evidence;
  const { receive, rates, connections } = trafficOf(evidence);
  const syn = shiftOf(series.syn_recv, at);
  const transmit = shiftOf(series.transmit, at);
  const isSyn = syn !== null && syn.last >= SYN_FLOOD && syn.last >= 5 * Math.max(1, syn.was);
  const unanswered =
    receive !== null &&
    transmit !== null &&
    rates >= 4 &&
    receive.is > 2 ** 20 &&
    transmit.is < 1.5 * transmit.was + 2 ** 18;
  if (!isSyn && !unanswered) return null;
  // A program that downloads explains what arrives.
  const loader =
    receive === null ? undefined : programsOf(evidence).find((one) => isNew(one, receive.onset) && one.cpuPercent >= 5);
  if (!isSyn && loader !== undefined) return null;
  return {
    id: 'network_flood',
    specificity: 'stated',
    since: syn?.onset ?? receive?.onset ?? null,
    finding: 'Packets flood the host: far more arrives than it answers.',
    evidence: [
      receive !== null &&
        `received ${megabytesPerSecond(receive.was)} → ${megabytesPerSecond(receive.is)} since ${clock(receive.onset)}`,
      transmit !== null && `transmitted ${megabytesPerSecond(transmit.was)} → ${megabytesPerSecond(transmit.is)}`,
      connections !== null && `connections ${fixed(connections.was, 0)} → ${fixed(connections.is, 0)}`,
      isSyn && `half-open connections (SYN_RECV) ${fixed(syn.was, 0)} → ${fixed(syn.last, 0)}`,
    ],
    next: 'See which networks send (Network page, `ss -s`, `tcpdump`), and block them in front of the host.',
  };
};

const bulkTransfer: Find = (evidence) => {
  const { series, week, at } = evidence;
  const [receive, transmit] = [riseOf(series.receive, week.receive, at), shiftOf(series.transmit, at)];
  if (receive === null || transmit === null) return null;
  const larger = receive.is - receive.was > transmit.is - transmit.was ? receive : transmit;
  if (larger.is < 3 * larger.was || larger.is - larger.was < 2 ** 20 || trafficOf(evidence).times >= 1.5) return null;
  const [program] = programsOf(evidence)
    .filter((one) => isNew(one, larger.onset) || one.cpuPercent >= 2 * one.cpuBefore + 10)
    .toSorted((a, b) => b.cpuPercent - b.cpuBefore - (a.cpuPercent - a.cpuBefore));
  if (program === undefined) return null;
  return {
    id: 'bulk_transfer',
    specificity: 'broken',
    since: larger.onset,
    guilty: process(program.name),
    finding: `${program.name} transfers much data over the network.`,
    evidence: [
      `${larger === receive ? 'received' : 'transmitted'} ${megabytesPerSecond(larger.was)} → ${megabytesPerSecond(larger.is)} since ${clock(larger.onset)}`,
      `${program.name} uses ${fixed(program.cpuPercent)} % of a core${program.startedAt > 0 && isNew(program, larger.onset) ? `, since ${clock(program.startedAt)}` : ''}`,
    ],
    next: `Limit its rate, or move it to a quieter hour.`,
  };
};

const packetLoss: Find = (evidence) => {
  const { series, at, metric } = evidence;
  const lost = shiftOf(series.retransmits, at);
  const isErrors = metric === 'network_errors';
  const rises = lost !== null && lost.is >= 5 && lost.is >= 4 * Math.max(0.5, lost.was);
  if (!isErrors && !rises) return null;
  const told = toldNear(evidence, rises ? lost.onset : at, LINK);
  const isDown = told.some((message) => /\b(?:down|lost)\b/i.test(message));
  return {
    id: 'packet_loss',
    specificity: rises ? 'broken' : 'state',
    finding: isDown
      ? 'A network interface loses its link.'
      : isErrors
        ? 'The network interface drops damaged packets.'
        : 'Packets are lost on the way: the host sends again and again.',
    evidence: [
      ...(rises
        ? [`retransmitted segments per second ${fixed(lost.was, 1)} → ${fixed(lost.is, 1)} since ${clock(lost.onset)}`]
        : ['errors of the interface are over their line']),
      ...told.slice(0, 3),
    ],
    next: 'Check cable, switch port and duplex (`ethtool -S`), and the path with `mtr`.',
  };
};

/** Connections pile up while the traffic stays as it was: nobody closes them. */
const LEAK_TIMES = 1.6;
const connectionLeak: Find = (evidence) => {
  const { series, week, at } = evidence;
  const { rates } = trafficOf(evidence);
  const all = riseOf(series.connections, week.connections, at);
  const waiting = shiftOf(series.close_wait, at);
  const closing = shiftOf(series.time_wait, at);
  const isClose = waiting !== null && waiting.last >= 50 && waiting.last >= 3 * Math.max(5, waiting.was);
  const isTime = closing !== null && closing.last >= 2000 && closing.last >= 3 * Math.max(50, closing.was);
  const grows = all !== null && all.gradual && all.last >= LEAK_TIMES * Math.max(50, all.was) && rates < 1.4;
  if (!isClose && !isTime && !grows) return null;
  const lines = [
    all !== null && `connections ${fixed(all.was, 0)} → ${fixed(all.last, 0)}`,
    isClose &&
      `CLOSE_WAIT ${fixed(waiting.was, 0)} → ${fixed(waiting.last, 0)}: the program does not close what the other side has ended`,
    isTime && `TIME_WAIT ${fixed(closing.was, 0)} → ${fixed(closing.last, 0)}`,
    rates < 1.4 && all !== null && 'the traffic did not grow with them',
  ];
  if (isTime && !isClose)
    return {
      id: 'short_connections',
      specificity: 'broken',
      finding: 'Very many short connections are opened: they pile up in TIME_WAIT.',
      evidence: lines,
      next: 'Reuse connections (keep-alive, a pool); else the host runs out of ports.',
    };
  return {
    id: 'connection_leak',
    specificity: 'broken',
    finding: 'A program leaks connections: they grow in number and nobody closes them.',
    evidence: lines,
    next: 'Find its owner with `ss -tnp | sort -k6`, and restart it before it runs out of file descriptors.',
  };
};

export const networkMechanisms: readonly Mechanism[] = [
  hostMechanism({
    id: 'network_drop',
    title: 'Traffic broke off',
    brings: ['traffic', 'connections', 'failing'],
    is: 'traffic',
    find: networkDrop,
  }),
  hostMechanism({
    id: 'network_flood',
    title: 'Flood',
    brings: ['traffic', 'connections', 'cpu', 'load', 'memory', 'failing'],
    find: networkFlood,
  }),
  hostMechanism({
    id: 'bulk_transfer',
    title: 'Bulk transfer',
    brings: ['traffic'],
    is: 'traffic',
    find: bulkTransfer,
  }),
  hostMechanism({
    id: 'packet_loss',
    title: 'Packet loss',
    brings: ['traffic', 'connections', 'failing'],
    is: 'traffic',
    find: packetLoss,
  }),
  hostMechanism({
    id: 'short_connections',
    title: 'Short connections',
    brings: ['connections', 'traffic'],
    is: 'connections',
    find: connectionLeak,
  }),
  hostMechanism({
    id: 'connection_leak',
    title: 'Connection leak',
    brings: ['connections', 'traffic', 'memory'],
    is: 'connections',
    find: connectionLeak,
  }),
];
