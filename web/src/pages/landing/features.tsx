import { Cells, Section } from './landing-parts.tsx';

const FEATURES = [
  [
    'The load line',
    'Every bar and chart shows its threshold. Colour shows the state. Act when a value is over the line; below it, read the distance.',
  ],
  [
    'Least headroom first',
    'The fleet is sorted by the distance to the line, so the server that needs you is the first one you see.',
  ],
  [
    'Complete servers',
    'CPU, memory, disk, IOPS, IO wait, network, connections, processes, services: one agent, every 60 seconds.',
  ],
  [
    'Kubernetes',
    'Nodes and pods with requests, limits and restarts; crash loops and OOM kills by name; all with read-only permissions.',
  ],
  [
    'Alerts without flapping',
    'Each rule has a threshold, a duration and a level at which it clears. An alert of a silent server is “unknown”, never “resolved”.',
  ],
  [
    'No invented numbers',
    'A missing value is shown as N/A with its reason. Charts leave gaps open and show their cause.',
  ],
  [
    'Private by design',
    'The agent shortens IP addresses to their network and removes secrets from command lines before it sends anything.',
  ],
  [
    'Nothing runs remotely',
    'The agent opens no port and runs no remote commands. It stores up to 24 hours of reports while the link is down.',
  ],
  [
    'Yours to host',
    'One command starts it with its database. It runs on your machines, keeps your data there and contacts nobody else.',
  ],
] as const;

export function Features() {
  return (
    <Section id="features" aria-labelledby="features-title">
      <h2 id="features-title">Features of Plimsoll</h2>
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
