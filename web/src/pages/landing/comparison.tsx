import { styled } from '@mui/material/styles';
import { Section } from './landing-parts.tsx';

const TOOLS = ['Plimsoll', 'Prometheus and Grafana', 'Zabbix, Nagios'] as const;

/** The table names the cases where another product is the better choice. */
const ROWS: readonly (readonly [string, string, string, string])[] = [
  [
    'First chart',
    'One command, about two minutes',
    'Exporters, targets and dashboards to set up',
    'Server, agents and templates to set up',
  ],
  ['“Which server needs me?”', 'The first one on the page', 'A dashboard you build', 'Triggers that you write'],
  ['Ports opened on a server', 'None: the agent sends', 'One per exporter', 'One, or none if the agent sends'],
  ['When the link is down', 'The agent keeps 24 h and sends it later', 'A gap', 'Depends on the item'],
  ['Processes behind a spike', 'Kept with the alert', 'Not collected', 'An item you write'],
  ['Metrics of your own application', 'No', 'Yes, its main strength', 'Yes'],
  ['Query language', 'No', 'PromQL', 'Expressions'],
  ['Switches, printers, SNMP', 'No', 'With an exporter', 'Yes'],
];

const Table = styled('table')(({ theme }) => ({
  width: '100%',
  marginTop: 32,
  borderCollapse: 'separate',
  borderSpacing: 0,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  backgroundColor: theme.vars.palette.background.paper,
  fontSize: 14,
  lineHeight: '22px',
  '& th, & td': { padding: '10px 16px', textAlign: 'left', verticalAlign: 'top', fontWeight: 400 },
  '& tbody th, & tbody td': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& thead th': { ...theme.typography.caption, color: theme.vars.palette.text.secondary },
  '& tbody th': { width: '24%', color: theme.vars.palette.text.secondary },
  '& td': { width: '25%', color: theme.vars.palette.text.secondary },
  '& tbody td:nth-of-type(1)': { color: theme.vars.palette.text.primary, fontWeight: 600 },
  [theme.breakpoints.down('md')]: {
    '&, & tbody, & tr, & th, & td': { display: 'block', width: 'auto' },
    '& thead': { position: 'absolute', clipPath: 'inset(50%)', width: 1, height: 1, overflow: 'hidden' },
    '& tbody tr': { padding: '12px 0', borderTop: `1px solid ${theme.vars.palette.divider}` },
    '& tbody tr:first-of-type': { borderTop: 0 },
    '& tbody th, & tbody td': { borderTop: 0, padding: '1px 16px', width: 'auto' },
    '& tbody th': { color: theme.vars.palette.text.primary, fontWeight: 600, paddingBottom: 4 },
    '& td:nth-of-type(1)': { fontWeight: 400 },
    '& td::before': { content: 'attr(data-tool) ": "', color: theme.vars.palette.load.text3 },
  },
}));

export function Comparison() {
  return (
    <Section aria-labelledby="comparison">
      <h2 id="comparison">Next to the traditional tools</h2>
      <p>They can do more. Plimsoll answers one question at a glance: which resource runs out next, and where.</p>
      <Table>
        <thead>
          <tr>
            <td aria-hidden />
            {TOOLS.map((tool) => (
              <th key={tool} scope="col">
                {tool}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([question, ...answers]) => (
            <tr key={question}>
              <th scope="row">{question}</th>
              {answers.map((answer, index) => (
                <td key={TOOLS[index]} data-tool={TOOLS[index]}>
                  {answer}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}
