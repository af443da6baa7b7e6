/**
 * What each call answers for one server that reported everything there is: the specification's names, in its units, to
 * the last field. Sums over many, gaps and pages have their own tests; here a renamed or swapped field is found.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../testing/app.ts';
import { fullReport } from '../testing/full-report.ts';
import { testStorage } from '../testing/postgres.ts';

const db = testStorage();
const MINUTE = 60_000;

describe('of a server that reported everything', () => {
  let app: TestApp;
  let user: TestUser;
  let agent: TestAgent;
  /** Times of its enrolment and its report, epoch milliseconds; a bucket of a minute begins with the report. */
  let enrolledAt: number;
  let at: number;
  const iso = (ms: number): string => new Date(ms).toISOString();
  const get = async (path: string): Promise<unknown> => {
    const answer = await app.call('GET', path, user);
    expect([path, answer.status, answer.json.success]).toEqual([path, 200, true]);
    return answer.json.data;
  };

  beforeAll(async () => {
    app = testApp(db.storage());
    app.clock.ms = Math.floor(app.clock.ms / MINUTE) * MINUTE - 10 * MINUTE;
    enrolledAt = app.clock.ms;
    user = await app.newUser();
    agent = await app.newAgent(user, 'web-1');
    app.clock.pass(600);
    at = app.clock.ms;
    const body = reportsBody(agent, at, [fullReport('web-1', at / 1000)]);
    const sent = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
    if (sent.status !== 200) throw new Error(sent.text);
    app.clock.pass(30);
  });

  const LINES = {
    cpu: { warning: 80, critical: 95 },
    memory: { warning: 80, critical: 95 },
    disk: { warning: 80, critical: 90 },
    io_wait: { warning: 10, critical: null },
  };
  const HEADROOM = { resource: 'cpu', points: 38.87, value: 41.13, line: 80, subject: null };
  const server = () => ({
    id: agent.serverId,
    hostname: 'web-1',
    display_name: null,
    status: 'active',
    refusal: null,
    platform: 'linux',
    os_type: 'debian',
    os_version: '12',
    os_name: 'Debian GNU/Linux 12',
    kernel: '6.1.0-18-amd64',
    architecture: 'amd64',
    region: 'DE',
    cpu_cores: 4,
    cpu_model: 'AMD EPYC 7763',
    total_memory: 16,
    total_storage: 110,
    cli_version: '0.1.0',
    uptime_seconds: 93_784,
    created_at: iso(enrolledAt),
    last_seen_at: iso(at),
    report_interval_seconds: 60,
    is_kubernetes_node: false,
    tags: {},
    lines: LINES,
    headroom: HEADROOM,
    disk_forecast: null,
  });

  test('GET /api/servers/list', async () => {
    expect(await get('/api/servers/list')).toEqual({
      servers: [server()],
      total: 1,
      summary: {
        total: 1,
        online: 1,
        offline: 0,
        installing: 0,
        refused: 0,
        uninstalled: 0,
        kubernetes_nodes: 0,
        uptime_percent: 100,
        total_cpu_cores: 4,
        total_memory_gb: 16,
        total_storage_gb: 110,
        avg_iops: 42.75,
        avg_io_wait: 2.5,
        avg_cpu: 41.13,
        avg_memory: 37.5,
        avg_disk: 25,
        used_memory_gb: 6,
        used_storage_gb: 25,
        busy_cores: 1.65,
        servers_with: { iops: 1, io_wait: 1, cpu: 1, memory: 1, disk: 1, used_memory: 1, used_storage: 1 },
        over_line: 0,
        near_line: 0,
        clear: 1,
        peak_iops: { value: 42.75, server_id: agent.serverId, hostname: 'web-1' },
        next_to_fill: null,
        newest_report_age_seconds: 30,
      },
      fleet: [
        {
          server_id: agent.serverId,
          hostname: 'web-1',
          status: 'active',
          headroom: HEADROOM,
          region: 'DE',
          tags: {},
        },
      ],
    });
  });

  test('GET /api/servers/{id}', async () => {
    const report = fullReport('web-1', at / 1000);
    const { filesystems, disks, interfaces, load, pressure, temperatures, containers, units } = report;
    const { raid, pools, updates, gpus, drives, fans, power } = report;
    const { conntrack, open_files, ephemeral_ports, clock_synchronized } = report;
    expect(await get(`/api/servers/${agent.serverId}`)).toEqual({
      server: {
        ...server(),
        identity: { shares_machine_id_with: [], former_token_used_at: null },
        virtualization: 'kvm',
        per_core_percent: [80.5, 1.75, null, 82],
        filesystems,
        disk_forecasts: [],
        disks,
        interfaces,
        load,
        total_swap: 4,
        pressure,
        temperatures,
        containers,
        units,
        hardware: { raid, pools, updates, gpus, drives, fans, power },
        kernel_limits: { conntrack, open_files, ephemeral_ports, clock_synchronized },
        sources: { cpu: { ok: true, duration_ms: 1.5, error: null } },
        agent: { spool_bytes: 4096, spool_oldest_age_seconds: 61.5, clock_skew_seconds: 0.25, last_error: null },
      },
    });
  });

  const figures = () => ({
    cpu_usage: { value: 41.13, reason: null },
    memory_usage: { value: 37.5, reason: null },
    disk_usage: { value: 25, reason: null },
    iops: { value: 42.75, reason: null },
    io_wait: { value: 2.5, reason: null },
    swap_usage: { value: 25, reason: null },
    memory_used_gb: { value: 6, reason: null },
    storage_used_gb: { value: 25, reason: null },
    inbound_bytes_per_sec: { value: 3000.5, reason: null },
    outbound_bytes_per_sec: { value: 1500.25, reason: null },
    read_iops: { value: 12.25, reason: null },
    write_iops: { value: 30.5, reason: null },
    load_1m: { value: 1.25, reason: null },
    tcp_retransmits_per_sec: { value: 0.75, reason: null },
  });

  test.each(['', '?server_id=ID', '?server_id=ID&start_date=FROM', '?start_date=FROM&end_date=TO'])(
    'GET /api/data/metrics%s',
    async (query) => {
      const asked = query
        .replace('ID', agent.serverId)
        .replace('FROM', String(at / 1000))
        .replace('TO', encodeURIComponent(iso(at + 1)));
      expect(await get(`/api/data/metrics${asked}`)).toEqual({
        metrics: [{ server_id: agent.serverId, timestamp: at / 1000, age_seconds: 30, metrics: figures() }],
        total: 1,
      });
    },
  );

  const band = (value: number) => ({ avg: value, min: value, max: value });

  test.each(['', '&server_id=ID'])('GET /api/data/metrics/timeseries, the bucket of the report%s', async (query) => {
    const asked = `start_date=${String(at / 1000 - 300)}&end_date=${String(at / 1000 + 300)}&buckets=11`;
    const data = (await get(`/api/data/metrics/timeseries?${asked}${query.replace('ID', agent.serverId)}`)) as {
      timeseries: { timestamp: number }[];
    };
    const { timeseries, ...rest } = data;
    const range = { bucket_seconds: 60, from: at / 1000 - 300, to: at / 1000 + 300 };
    expect(rest).toMatchObject({ ...range, aggregated: query === '', gaps: [] });
    expect(timeseries).toHaveLength(10);
    expect(timeseries.find(({ timestamp }) => timestamp === at / 1000)).toEqual({
      timestamp: at / 1000,
      ...(query === '' && { top: { cpu: 0, memory: 0, disk: 0 } }),
      time: iso(at),
      cpu: 41.13,
      memory: 37.5,
      disk: 25,
      bands: {
        cpu: band(41.13),
        memory: band(37.5),
        disk: band(25),
        io_wait: band(2.5),
        iops: band(42.75),
        swap: band(25),
        load: band(1.25),
        tcp_retransmits: band(0.75),
      },
      count: 1,
      // The bucket began half a minute ago.
      servers_reported: null,
      servers_installed: null,
    });
    const nothing = { avg: null, min: null, max: null };
    expect(timeseries[0]).toEqual({
      timestamp: at / 1000 - 300,
      time: iso(at - 300_000),
      cpu: null,
      memory: null,
      disk: null,
      bands: {
        cpu: nothing,
        memory: nothing,
        disk: nothing,
        io_wait: nothing,
        iops: nothing,
        swap: nothing,
        load: nothing,
        tcp_retransmits: nothing,
      },
      count: 0,
      servers_reported: query === '' ? 0 : null,
      servers_installed: query === '' ? 1 : null,
    });
  });

  const CONNECTIONS = {
    connections_established: 1,
    connections_listen: 2,
    connections_time_wait: 3,
    connections_close_wait: 4,
    connections_syn_sent: 5,
    connections_syn_recv: 6,
    total_connections: 21,
  };

  test.each(['', '&server_id=ID'])('GET /api/data/network/timeseries, the bucket of the report%s', async (query) => {
    const asked = `start_date=${String(at / 1000 - 300)}&end_date=${String(at / 1000 + 300)}&buckets=11`;
    const data = (await get(`/api/data/network/timeseries?${asked}${query.replace('ID', agent.serverId)}`)) as {
      timeseries: { timestamp: number }[];
      aggregated: boolean;
    };
    expect(data.aggregated).toBe(query === '');
    expect(data.timeseries.find(({ timestamp }) => timestamp === at / 1000)).toEqual({
      timestamp: at / 1000,
      time: iso(at),
      inbound_bytes_per_sec: 3000.5,
      outbound_bytes_per_sec: 1500.25,
      inbound_min: 3000.5,
      inbound_max: 3000.5,
      outbound_min: 1500.25,
      outbound_max: 1500.25,
      ...CONNECTIONS,
      servers_reported: null,
      servers_installed: null,
    });
  });

  test.each(['', '?server_id=ID'])('GET /api/data/network/metrics%s', async (query) => {
    expect(await get(`/api/data/network/metrics${query.replace('ID', agent.serverId)}`)).toEqual({
      metrics: [
        {
          server_id: agent.serverId,
          timestamp: at / 1000,
          inbound_bytes_per_sec: 3000.5,
          outbound_bytes_per_sec: 1500.25,
          ...CONNECTIONS,
        },
      ],
      total: 1,
    });
  });

  test.each(['', '?server_id=ID'])('GET /api/data/network/connections%s', async (query) => {
    expect(await get(`/api/data/network/connections${query.replace('ID', agent.serverId)}`)).toEqual({
      connections: [
        {
          server_id: agent.serverId,
          timestamp: at / 1000,
          remote_ip: '203.0.113.0',
          remote_port: 443,
          local_port: 50_123,
          protocol: 'tcp',
          state: 'ESTABLISHED',
          pid: -1,
          family: 'ipv4',
          importance_score: 72,
        },
      ],
      total: 1,
    });
  });

  test.each(['', '?server_id=ID&rank_type=memory'])('GET /api/data/processes%s', async (query) => {
    expect(await get(`/api/data/processes${query.replace('ID', agent.serverId)}`)).toEqual({
      processes: [
        {
          server_id: agent.serverId,
          hostname: 'web-1',
          pid: 4711,
          name: 'postgres',
          command: '/usr/bin/postgres -D /data',
          user: 'postgres',
          status: 'R',
          cpu_usage: 61.5,
          server_cpu_cores: 4,
          memory_usage: 3.25,
          memory_kb: 5121,
          threads: 9,
          start_time: at / 1000 - 3600,
          timestamp: at / 1000,
        },
      ],
      total: 1,
    });
  });

  test('GET /api/data/activity', async () => {
    expect(await get('/api/data/activity')).toEqual({
      events: [
        {
          id: expect.any(String),
          server_id: agent.serverId,
          hostname: 'web-1',
          event_type: 'process_crash',
          service_name: 'nginx',
          process_name: 'nginx: worker',
          message: 'killed by signal 11',
          severity: 'critical',
          timestamp: at / 1000 - 12,
        },
      ],
      total: 1,
      folded: 0,
    });
  });
});
