import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { captured, capturedText } from '../../testing/captured.ts';
import { kernelUnits } from './auxv.ts';
import { showCommand } from '../command-line.ts';
import { cutToBytes } from '../../runtime/cut-to-bytes.ts';
import { parsePidStat } from './pid-stat.ts';

const HOST = 'debian-12-firecracker';

describe('parsePidStat', () => {
  it('agrees with a plain split on captured processes', () => {
    const pids = captured(HOST)
      .list('proc')
      .filter((name) => /^\d+$/.test(name));
    expect(pids.length).toBeGreaterThanOrEqual(4);
    for (const pid of pids) {
      const text = capturedText(HOST, `proc/${pid}/stat`);
      const fields = text
        .slice(text.lastIndexOf(')') + 2)
        .trim()
        .split(' ');
      expect(parsePidStat(Buffer.from(text))).toEqual({
        name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
        state: fields[0],
        cpuTicks: Number(fields[11]) + Number(fields[12]),
        threads: Number(fields[17]),
        startTicks: Number(fields[19]),
        residentPages: Number(fields[21]),
      });
    }
  });

  it('takes a name with blanks and parentheses', () => {
    const tail = `S ${Array.from({ length: 21 }, (_, index) => index).join(' ')} 0\n`;
    expect(parsePidStat(Buffer.from(`7 (a) (b) c) ${tail}`))).toMatchObject({ name: 'a) (b) c', state: 'S' });
  });

  it('gives nothing for a text that is cut anywhere, and never throws', () => {
    const text = capturedText(HOST, 'proc/2/stat');
    const needed = text.split(' ').slice(0, 24).join(' ').length;
    for (let cut = 0; cut < needed; cut += 1) expect(parsePidStat(Buffer.from(text.slice(0, cut)))).toBeNull();
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void parsePidStat(Buffer.from(bytes))));
  });
});

it('reads page size and tick from the auxiliary vector', () => {
  expect(kernelUnits(captured(HOST))).toEqual({ pageBytes: 4096, ticksPerSecond: 100 });
});

describe('showCommand', () => {
  it('joins words, and brackets what has none', () => {
    expect(showCommand({ text: '/bin/a\0-b\0c d\0', whole: true }, 'a', false)).toBe('/bin/a -b c d');
    expect(showCommand({ text: '', whole: true }, 'kworker/0:1', false)).toBe('[kworker/0:1]');
  });

  it('redacts, or strips all arguments', () => {
    expect(showCommand({ text: 'mysql\0-psesame\0db\0', whole: true }, 'mysql', false)).toBe('mysql -p[redacted] db');
    expect(showCommand({ text: 'mysql\0-psesame\0db\0', whole: true }, 'mysql', true)).toBe('mysql');
    expect(showCommand({ text: 'nginx: worker process --token x', whole: true }, 'nginx', true)).toBe('nginx:');
  });

  it('is at most 512 bytes of whole characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (text) => {
        const shown = showCommand({ text: `a\0${text}`, whole: true }, 'a', false);
        expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(512);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
    expect(cutToBytes('é'.repeat(10), 5)).toBe('éé');
  });
});
