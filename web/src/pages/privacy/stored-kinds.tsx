/** What is stored, by kind: the table of the privacy policy. */
const KINDS = [
  ['Account', 'Email, name, the provider’s id for you, avatar address, when the account was made and last used'],
  ['Servers', 'Hostname, operating system, architecture, kernel, when it registered and when it last reported'],
  ['Metrics', 'CPU, memory, disk, IOPS, IO wait and network traffic'],
  ['Kubernetes', 'Usage of nodes and pods, restart counts, namespaces, pod phases, warning events'],
  ['Processes', 'Name, command line with secrets removed, user, CPU and memory of the busiest processes'],
  ['Connections', 'Ports, state and the other side’s address, made anonymous'],
  ['Alerts and events', 'What crossed a line and when; services started, stopped, crashed or changed'],
] as const;

export function StoredKinds() {
  return (
    <table>
      <tbody>
        {KINDS.map(([kind, what]) => (
          <tr key={kind}>
            <th scope="row">{kind}</th>
            <td>{what}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
