/** Kinds of stored data: the table of the privacy policy. */
const KINDS = [
  ['Account', 'Email, name, provider user id, avatar address, creation time and last use'],
  ['Servers', 'Hostname, operating system, architecture, kernel, registration time and time of the last report'],
  ['Metrics', 'CPU, memory, disk, IOPS, IO wait and network traffic'],
  ['Kubernetes', 'Usage of nodes and pods, restart counts, namespaces, pod phases, warning events'],
  ['Processes', 'Name, command line with secrets removed, user, CPU and memory of the busiest processes'],
  ['Connections', 'Ports, state and shortened remote address'],
  ['Alerts and events', 'Crossed thresholds and their times; services that started, stopped, crashed or changed'],
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
