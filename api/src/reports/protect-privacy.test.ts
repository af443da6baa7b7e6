import { expect, test } from 'vitest';
import { protectReport } from './protect-privacy.ts';
import { Redactor } from './redactor.ts';

test('addresses are masked and command lines redacted', () => {
  const report = protectReport(
    {
      seq: 1,
      ts: 0,
      up: 0,
      kind: 'host',
      window_seconds: null,
      connections: [
        {
          remote_ip: '203.0.113.77',
          remote_port: 1,
          local_port: 2,
          protocol: 'tcp',
          family: 'ipv4',
          state: 'LISTEN',
          pid: -1,
          importance_score: 0,
        },
      ],
      processes: [
        {
          pid: 1,
          name: 'mysql',
          command: 'mysql -pSecret1 db',
          user: 'u',
          status: 'S',
          cpu_percent: 0,
          memory_percent: 0,
          memory_bytes: 0,
          threads: 1,
          started_at: 0,
        },
      ],
    },
    new Redactor(Infinity),
  );
  expect(report.connections?.[0]?.remote_ip).toBe('203.0.113.0');
  expect(report.processes?.[0]?.command).not.toContain('Secret1');
});

test('whatever was seen before, an address that is not masked is masked each time', () => {
  const connection = {
    remote_port: 1,
    local_port: 2,
    protocol: 'tcp',
    family: 'ipv4',
    state: 'LISTEN',
    pid: -1,
  } as const;
  const addresses = ['203.0.113.0', '203.0.113.77', '203.0.113.0', '203.0.113.77', '2001:db8:1:2:3:4:5:6'];
  const { connections } = protectReport(
    {
      seq: 1,
      ts: 0,
      up: 0,
      kind: 'host',
      window_seconds: null,
      connections: addresses.map((remote_ip) => ({ ...connection, remote_ip, importance_score: 0 })),
    },
    new Redactor(Infinity),
  );
  const seen = connections?.map(({ remote_ip: address }) => address);
  expect(seen).toEqual([...Array.from({ length: 4 }, () => '203.0.113.0'), '2001:db8:1:2::']);
});
