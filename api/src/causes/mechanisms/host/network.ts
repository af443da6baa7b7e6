import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { clock, megabytesPerSecond } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import { hostMechanism, moved, part, type HostMoment } from '../../host-moment.ts';
import { isNew } from '../../suspects.ts';
import { peerIn, quote } from '../../words.ts';
import { rateLine, trafficOf } from './cpu.ts';
import { changeOf } from './service.ts';

/** Below this share of what it was, traffic has dropped. */
const DROPPED = 0.2;
const LEAST_TRAFFIC = 10 * 1024;

const LINK = /\blink\b|\bcarrier\b|\beth\d|\bbond\d|\bNIC\b/i;
const PATH = /interface|firewall|iptables|nft/i;
/** Messages about the network within an hour of a moment, the newest first. */
const toldNear = ({ events }: HostMoment, moment: number, about: readonly RegExp[]): string[] =>
  events
    .filter(({ message, at }) => Math.abs(at - moment) < HOUR_SECONDS && about.some((one) => one.test(message)))
    .toSorted((a, b) => b.at - a.at)
    .map(({ message }) => message);

const networkDrop = hostMechanism('network_drop', 'Traffic broke off', (host) => {
  const [receive, transmit] = [host.shift('receive'), host.shift('transmit')];
  if (receive === null || transmit === null) return null;
  const was = receive.was + transmit.was;
  const is = Math.min(receive.is + transmit.is, receive.last + transmit.last);
  if (was < LEAST_TRAFFIC || is > DROPPED * was) return null;
  return {
    brings: ['traffic', 'connections', 'failing'],
    is: 'traffic',
    specificity: 'changed',
    since: receive.onset,
    finding: 'The network traffic of the host broke off.',
    evidence: [
      `${megabytesPerSecond(was)} → ${megabytesPerSecond(is)} in both directions at ${clock(receive.onset)}`,
      toldNear(host, receive.onset, [LINK, PATH])[0],
    ],
    next: 'Check link and switch, the load balancer in front, and whether the service still accepts connections.',
  };
});

/** Half-open connections that no healthy server has. */
const SYN_FLOOD = 50;
const networkFlood = hostMechanism('network_flood', 'Flood', (host) => {
  const { receive, rates, connections } = trafficOf(host);
  const [syn, transmit] = [host.shift('syn_recv'), host.shift('transmit')];
  const isSyn = syn !== null && syn.last >= SYN_FLOOD && syn.last >= 5 * Math.max(1, syn.was);
  const isUnanswered =
    rates >= 4 &&
    (receive?.is ?? 0) > 2 ** 20 &&
    transmit !== null &&
    transmit.is < 1.5 * transmit.was + 2 ** 18 &&
    // A program that downloads explains what arrives.
    !host.programs.some((one) => isNew(one, receive?.onset ?? 0) && one.cpuPercent >= 5);
  if (!isSyn && !isUnanswered) return null;
  return {
    brings: ['traffic', 'connections', 'cpu', 'load', 'memory', 'failing'],
    specificity: 'stated',
    since: syn?.onset ?? receive?.onset ?? null,
    finding: 'Packets flood the host: far more arrives than it answers.',
    evidence: [
      receive && `${rateLine('received', receive)} since ${clock(receive.onset)}`,
      transmit && rateLine('transmitted', transmit),
      connections && moved('connections', connections.was, connections.is, '', 0),
      isSyn && moved('half-open connections (SYN_RECV)', syn.was, syn.last, '', 0),
    ],
    next: 'See which networks send (Network page, `ss -s`, `tcpdump`), and block them in front of the host.',
  };
});

const packetLoss = hostMechanism('packet_loss', 'Packet loss', (host) => {
  const lost = host.shift('retransmits');
  const rises = lost !== null && lost.is >= 5 && lost.is >= 4 * Math.max(0.5, lost.was);
  const isErrors = host.metric === 'network_errors';
  if (!isErrors && !rises) return null;
  const told = toldNear(host, rises ? lost.onset : host.at, [LINK]);
  return {
    brings: ['traffic', 'connections', 'failing'],
    is: 'traffic',
    specificity: rises ? 'broken' : 'state',
    finding: told.some((message) => /\b(?:down|lost)\b/i.test(message))
      ? 'A network interface loses its link.'
      : isErrors
        ? 'The network interface drops damaged packets.'
        : 'Packets are lost on the way: the host sends again and again.',
    evidence: [
      rises
        ? `${moved('retransmitted segments per second', lost.was, lost.is, '')} since ${clock(lost.onset)}`
        : 'errors of the interface are over their line',
      ...told.slice(0, 3),
    ],
    next: 'Check cable, switch port and duplex (`ethtool -S`), and the path with `mtr`.',
  };
});

/** Connections pile up while the traffic stays as it was: nobody closes them, or each serves one request. */
const LEAK_TIMES = 1.6;
const connectionLeak = hostMechanism('connection_leak', 'Connections pile up', (host) => {
  const { rates, connections: all } = trafficOf(host);
  const [waiting, closing] = [host.shift('close_wait'), host.shift('time_wait')];
  const isClose = waiting !== null && waiting.last >= 50 && waiting.last >= 3 * Math.max(5, waiting.was);
  const isTime = closing !== null && closing.last >= 2000 && closing.last >= 3 * Math.max(50, closing.was);
  const grows = all !== null && all.gradual && all.last >= LEAK_TIMES * Math.max(50, all.was) && rates < 1.4;
  if (!isClose && !isTime && !grows) return null;
  const isShort = isTime && !isClose;
  return {
    brings: ['connections', 'traffic', 'memory'],
    is: 'connections',
    specificity: 'broken',
    finding: isShort
      ? 'Very many short connections are opened: they pile up in TIME_WAIT.'
      : 'A program leaks connections: they grow in number and nobody closes them.',
    evidence: [
      all && moved('connections', all.was, all.last, '', 0),
      isClose &&
        `${moved('CLOSE_WAIT', waiting.was, waiting.last, '', 0)}: the program does not close what the other side has ended`,
      isTime && moved('TIME_WAIT', closing.was, closing.last, '', 0),
      rates < 1.4 && all !== null && 'the traffic did not grow with them',
    ],
    next: isShort
      ? 'Reuse connections (keep-alive, a pool); else the host runs out of ports.'
      : 'Find its owner with `ss -tnp | sort -k6`, and restart it before it runs out of file descriptors.',
  };
});

/** A unit says that another machine does not answer: what it calls is guilty, or the way there. */
const peerSilent = hostMechanism('peer_unreachable', 'Another machine does not answer', (host) => {
  const [said] = host.said.flatMap((one) => {
    const peer = one.kind === 'journal_error' && one.at > host.at - HOUR_SECONDS ? peerIn(one.text) : null;
    return peer === null ? [] : [{ ...one, peer }];
  });
  if (said === undefined) return null;
  const change = changeOf(host, said.at, null);
  return {
    brings: ['failing', 'unit', 'crash', 'connections'],
    is: 'failing',
    specificity: change === undefined ? 'changed' : 'broken',
    since: change?.at ?? said.at,
    change: change?.change,
    guilty: part('peer', said.peer),
    finding: `${said.subject ?? 'A program'} does not reach ${said.peer}${change === undefined ? '' : `, after a change at ${clock(change.at)}`}.`,
    evidence: [quote(said), change?.text],
    next: `Check whether ${said.peer} is the right address, whether it runs, and the way there (\`ip route get\`, \`nft list ruleset\`).`,
  };
});

export const networkMechanisms: readonly Mechanism[] = [
  networkDrop,
  networkFlood,
  packetLoss,
  connectionLeak,
  peerSilent,
];
