import { Cells, Section } from './landing-parts.tsx';

const FEATURES = [
  [
    'The load line',
    'Every bar and chart carries its threshold. Colour says the state, the line never changes: over it, act; below it, read how far.',
  ],
  [
    'Least headroom first',
    'The fleet is sorted by the distance to the line, so the server that needs you is the first one you see.',
  ],
  [
    'Servers, whole',
    'CPU, memory, disk, IOPS, IO wait, network, connections, processes, services: one agent, every 60 seconds.',
  ],
  [
    'Kubernetes',
    'Nodes and pods with requests, limits and restarts; crash loops and OOM kills by name; read-only rights, spelled out.',
  ],
  [
    'Alerts that hold still',
    'A threshold, how long it has to hold, and where it clears. A silent server is unknown, never “resolved”.',
  ],
  [
    'No invented numbers',
    'What is not known is N/A with its reason. Gaps are not joined; the chart says why nothing came.',
  ],
  [
    'Private by design',
    'Addresses are cut to their network and secrets leave command lines on the machine, before anything is sent.',
  ],
  [
    'Nothing runs remotely',
    'The agent opens no port and obeys no command. It reads, sends and keeps 24 hours while the link is down.',
  ],
  ['Yours to host', 'One command starts it with its database. Your machines, your data, no request to anyone else.'],
] as const;

export function Features() {
  return (
    <Section id="features" aria-labelledby="features-title">
      <h2 id="features-title">What it shows you</h2>
      <Cells>
        {FEATURES.map(([title, text]) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </Cells>
    </Section>
  );
}
