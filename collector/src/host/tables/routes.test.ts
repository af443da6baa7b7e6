import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeFiles } from '../../testing/captured.ts';
import { parseRoutes, parseRoutes6, readRoutes } from './routes.ts';

const HEAD = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n';
const row = (name: string, flags: string, mask: string): string =>
  `${name}\t00000000\t0101A8C0\t${flags}\t0\t0\t0\t${mask}\t0\t0\t0\n`;
const ZERO = '0'.repeat(32);
const row6 = (name: string, destination: string, length: string, flags: string): string =>
  `${destination} ${length} ${ZERO} 00 ${ZERO} 00000400 00000001 00000000 ${flags} ${name.padStart(8)}\n`;

describe('routes', () => {
  it('finds default routes and networks of both families', () => {
    const { defaults, networks } = readRoutes(
      fakeFiles({
        'proc/net/route':
          HEAD + row('eth0', '0003', '00000000') + row('eth1', '0001', '00FFFFFF') + row('cali1', '0005', 'FFFFFFFF'),
        'proc/net/ipv6_route':
          row6('eth2', ZERO, '00', '00000003') +
          row6('eth3', `20010db8${'0'.repeat(24)}`, '40', '00000001') +
          row6('eth4', `fe80${'0'.repeat(28)}`, '40', '00000001') +
          row6('eth5', `20010db8${'0'.repeat(24)}`, '80', '00000001') +
          row6('lo', ZERO, '00', '00200200'),
      }),
    );
    expect([...defaults]).toEqual(['eth0', 'eth2']);
    expect([...networks]).toEqual(['eth0', 'eth1', 'eth2', 'eth3']);
  });

  it('leaves out routes that are down or refuse', () => {
    expect(parseRoutes(row('eth0', '0002', '00000000') + row('eth0', '0201', '00000000'))).toEqual([]);
    expect(parseRoutes6(row6('eth0', ZERO, '00', '00000200'))).toEqual([]);
  });

  it('has none without the tables', () => {
    expect(readRoutes(fakeFiles({})).defaults.size).toBe(0);
  });

  it('reads any text', () => {
    const word = fc.oneof(fc.string(), fc.constantFrom('eth0', '00000000', 'FFFFFFFF', '0001', '00', ZERO));
    const text = fc.array(fc.array(word, { maxLength: 14 }), { maxLength: 5 });
    fc.assert(
      fc.property(text, (lines) => {
        const table = lines.map((words) => words.join('\t')).join('\n');
        for (const { bits, most } of [...parseRoutes(table), ...parseRoutes6(table)]) {
          expect(bits).toBeGreaterThanOrEqual(0);
          expect(bits).toBeLessThanOrEqual(most === 32 ? 32 : 255);
        }
      }),
    );
  });
});
