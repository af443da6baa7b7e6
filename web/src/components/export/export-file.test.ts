import { expect, it } from 'vitest';
import { csvText, fieldsTable, fileName, jsonText, stretchName } from './export-file.ts';

const table = {
  columns: ['time', 'host', 'percent'],
  rows: [
    ['2026-11-23T05:00:00Z', 'web-01', 91.4],
    ['2026-11-23T05:01:00Z', 'a "b", c', null],
  ],
};

it('writes CSV with quotes where they are needed and an empty field for the unknown', () => {
  expect(csvText(table)).toBe(
    'time,host,percent\r\n2026-11-23T05:00:00Z,web-01,91.4\r\n2026-11-23T05:01:00Z,"a ""b"", c",\r\n',
  );
});

it('lets no spreadsheet run a name as a formula, and leaves negative numbers alone', () => {
  expect(
    csvText({
      columns: ['name', 'points'],
      rows: [
        ['=1+1', -4],
        ['@x', 1],
      ],
    }),
  ).toBe("name,points\r\n'=1+1,-4\r\n'@x,1\r\n");
});

it('writes JSON with one object a row', () => {
  expect(JSON.parse(jsonText(table))).toEqual([
    { time: '2026-11-23T05:00:00Z', host: 'web-01', percent: 91.4 },
    { time: '2026-11-23T05:01:00Z', host: 'a "b", c', percent: null },
  ]);
});

it('names a file for what it holds', () => {
  expect(fileName(['build-hel-02', 'IO Wait', stretchName(0, 3600)], 'csv')).toBe(
    'build-hel-02-io-wait-1970-01-01t0000-to-1970-01-01t0100.csv',
  );
  expect(fileName(['../etc', '  '], 'json')).toBe('etc.json');
  expect(fileName([''], 'csv')).toBe('plimsoll.csv');
});

it('takes named fields as the API gives them: lists as JSON, the missing as unknown', () => {
  const rows = [
    { id: 1, name: 'a', lines: [{ level: 'warning' }] },
    { id: 2, name: null, lines: undefined },
  ];
  expect(fieldsTable(rows, ['id', 'name', 'lines'])).toEqual({
    columns: ['id', 'name', 'lines'],
    rows: [
      [1, 'a', '[{"level":"warning"}]'],
      [2, null, null],
    ],
  });
});
