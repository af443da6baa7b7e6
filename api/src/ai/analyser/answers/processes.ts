import { cell, escaped, memory, moment, plural, processTable, rowsOf } from '../reports.ts';
import { onServer, type Write } from './write.ts';

export const processes: Write = (content, asked, now) => {
  const { input, limit, isCount, program } = asked;
  const rows = rowsOf(content, 'processes');
  const [first] = rows;
  const listedAt = content['listed_at'];
  if (listedAt === null) return `**${cell(content['why_empty'])}**`;
  const when = typeof listedAt === 'string' ? ` at ${moment(listedAt, now)}` : '';
  const listed = plural(Number(content['listed'] ?? 0), 'process', 'processes');
  if (first === undefined && program !== null)
    return `**“${escaped(program)}” is not among the ${listed} listed${onServer(asked)}.** A server lists only those that use most.`;
  if (first === undefined) return `**No process is listed${onServer(asked)}.**`;
  const total = isCount ? `${plural(Number(content['total'] ?? rows.length), 'process', 'processes')} listed. ` : '';
  const use =
    input['by'] === 'memory'
      ? `${memory(Number(first['memory_kb'] ?? 0))}, ${cell(first['memory_percent'], ' %')} of its host`
      : `${cell(first['cpu_percent_of_one_core'], ' %')} of one core`;
  if (program !== null) {
    const servers = [...new Set(rows.map((row) => cell(row['hostname'])))].slice(0, limit);
    const found = plural(Number(content['total'] ?? rows.length), 'process', 'processes');
    return `**${found} of “${escaped(program)}” on ${servers.join(', ')}.** Searched in the ${listed} that use most.\n\n${processTable({ processes: rows.slice(0, limit) })}`;
  }
  const head = `${total}**${cell(first['name'])} on ${cell(first['hostname'])}** uses most ${input['by'] === 'memory' ? 'memory' : 'CPU'}${when}: ${use}.`;
  return `${head}\n\n${processTable({ processes: rows.slice(0, limit) })}`;
};
