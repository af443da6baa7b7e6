import { errorText } from '@plimsoll/contract/rules/error-text';
import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import type { GpuPart } from '@plimsoll/contract/wire/hardware';
import { cutToBytes } from '../../runtime/cut-to-bytes.ts';
import type { Exec } from '../../runtime/exec.ts';
import type { Files } from '../../runtime/files.ts';
import type { Moment, Source } from '../../source.ts';
import { milliDegrees } from '../tables/milli-degrees.ts';

const NAME_BYTES = 96;
const DRM = 'sys/class/drm';
const NVIDIA = 'proc/driver/nvidia/gpus';
const FIELDS = 'pci.bus_id,name,utilization.gpu,memory.used,memory.total,temperature.gpu,power.draw,power.limit';
const PROCESS_FIELDS = 'gpu_bus_id,pid,used_gpu_memory,process_name';
const MIB = 1_048_576;

/**
 * Reads GPUs of AMD and Intel from the kernel, and those of NVIDIA by its program. Without `asksNvidia` the driver gives their
 * names alone.
 */
export function gpuSource(files: Files, exec: Exec, asksNvidia: boolean): Source {
  const readCard = cardReader(files);
  return {
    name: 'gpu',
    read: async (now) => {
      const cards = files.list(DRM).filter((name) => /^card\d+$/.test(name));
      const ofKernel = cards.flatMap((card) => readCard(card, now));
      const ids = files.list(NVIDIA);
      if (ids.length === 0) return { part: ofKernel.length === 0 ? {} : { gpus: ofKernel } };
      const named = ids.map((id) => nameOnly(files, id));
      if (!asksNvidia)
        return {
          part: { gpus: [...named, ...ofKernel] },
          note: 'figures of NVIDIA need nvidia-smi: install with --with-gpu',
        };
      try {
        const ask = (query: string): Promise<string> => exec('nvidia-smi', [query, '--format=csv,noheader,nounits']);
        const printed = await ask(`--query-gpu=${FIELDS}`);
        const gpus = parseNvidia(printed);
        const answered = new Set(gpus.map(({ id }) => id));
        const silent = named.filter(({ id }) => !answered.has(busId(id)));
        // Virtual GPUs and old drivers refuse this list; the figures stand without it.
        const processes = parseNvidiaProcesses(await ask(`--query-compute-apps=${PROCESS_FIELDS}`).catch(() => ''));
        const withProcesses = gpus.map((gpu) => {
          const own = processes.get(gpu.id);
          return own === undefined ? gpu : { ...gpu, processes: own };
        });
        const note = silent.length === 0 ? null : reasonIn(printed);
        return { part: { gpus: [...withProcesses, ...silent, ...ofKernel] }, ...(note !== null && { note }) };
      } catch (error) {
        const note = errorText(error);
        return { part: { gpus: [...named, ...ofKernel] }, note };
      }
    },
  };
}

const UNKNOWN = {
  use_percent: null,
  memory_used_bytes: null,
  memory_total_bytes: null,
  celsius: null,
  power_watts: null,
  power_limit_watts: null,
} as const;

/** The driver's own text: "Model: \t\t NVIDIA A100-SXM4-40GB". */
function nameOnly(files: Files, id: string): GpuPart {
  const model = /^Model:\s*(.+)$/m.exec(files.optional(`${NVIDIA}/${id}/information`) ?? '')?.[1];
  return {
    id: cutToBytes(id, 32),
    vendor: 'nvidia',
    name: model === undefined ? null : cutToBytes(model.trim(), NAME_BYTES),
    ...UNKNOWN,
  };
}

/** Parses the lines of nvidia-smi: figures in per cent, MiB, °C and W, or words such as "[N/A]" and "[Not Supported]". */
export function parseNvidia(text: string): GpuPart[] {
  return text.split('\n').flatMap((line): GpuPart[] => {
    const [id = '', name = '', use, used, total, celsius, draw, limit] = line.split(',').map((word) => word.trim());
    if (!/^[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:/.test(id)) return [];
    return [
      {
        id: busId(id),
        vendor: 'nvidia',
        name: name === '' ? null : cutToBytes(name, NAME_BYTES),
        use_percent: numberOf(use, 100),
        memory_used_bytes: times(numberOf(used), MIB),
        memory_total_bytes: times(numberOf(total), MIB),
        celsius: numberOf(celsius, 250),
        power_watts: numberOf(draw, MOST_WATTS),
        power_limit_watts: numberOf(limit, MOST_WATTS),
      },
    ];
  });
}

/** Returns the id as the kernel writes it: the program writes the domain with eight digits, the kernel with four or more. */
const busId = (id: string): string => id.toLowerCase().replace(/^0+(?=[0-9a-f]{4,}:)/, '');

const REASON_BYTES = 200;
/** The program prints a sentence in place of the line of a GPU that is lost, or of all. */
function reasonIn(printed: string): string {
  const sentence = printed.split('\n').find((line) => line.trim() !== '' && parseNvidia(line).length === 0);
  return `nvidia-smi: ${cutToBytes(sentence?.trim() ?? 'no figures of a GPU that the driver has', REASON_BYTES)}`;
}

type GpuProcess = NonNullable<GpuPart['processes']>[number];

/** Parses lines such as "00000000:07:00.0, 4711, 2048, /usr/bin/python3". Returns the largest processes by GPU. */
export function parseNvidiaProcesses(text: string): Map<string, GpuProcess[]> {
  const byGpu = new Map<string, GpuProcess[]>();
  for (const line of text.split('\n')) {
    const [id = '', pid = '', used, ...rest] = line.split(',').map((word) => word.trim());
    if (!/^[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:/.test(id) || !/^\d{1,10}$/.test(pid)) continue;
    const process = {
      pid: Number(pid),
      name: programOf(rest.join(',')),
      memory_bytes: times(numberOf(used), MIB),
    };
    byGpu.set(busId(id), [...(byGpu.get(busId(id)) ?? []), process]);
  }
  for (const [id, processes] of byGpu) {
    const largest = processes.toSorted((a, b) => (b.memory_bytes ?? 0) - (a.memory_bytes ?? 0));
    byGpu.set(id, largest.slice(0, REPORT_LIMITS.processesOfGpu));
  }
  return byGpu;
}

const PROCESS_NAME_BYTES = 64;
/** Returns the program without its folders and arguments, which may hold secrets. */
function programOf(command: string): string {
  const [path = ''] = command.split(' -');
  const [name = ''] = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).split(' ');
  return name === '' || name.startsWith('[') ? 'unknown' : cutToBytes(name, PROCESS_NAME_BYTES);
}
const MOST_WATTS = 100_000;
const numberOf = (text: string | null | undefined, most = 1e12): number | null =>
  text != null && /^\d{1,15}(?:\.\d+)?$/.test(text) && Number(text) <= most ? Number(text) : null;
const times = (value: number | null, factor: number): number | null => (value === null ? null : value * factor);

const AMD = '0x1002';
const INTEL = '0x8086';
/** Milliseconds in the idle state RC6: of the driver i915 (kernel 4.18 and later), and of xe. */
const RC6 = 'power/rc6_residency_ms';
const XE_IDLE = 'tile0/gt0/gtidle/idle_residency_ms';
/** Counters of a card at a reading, by the clock since boot in seconds. */
interface Counted {
  microjoules: number | null;
  idleMs: number | null;
  up: number;
}

/** Keeps the counters of Intel between two readings: their differences are power and use. */
function cardReader(files: Files): (card: string, now: Moment) => GpuPart[] {
  const counters = new Map<string, Counted>();
  return (card, { up }) => {
    const device = `${DRM}/${card}/device`;
    const word = (path: string): string | null => files.optional(path)?.trim() ?? null;
    const number = (path: string): number | null => numberOf(word(path));
    const vendor = word(`${device}/vendor`);
    if (vendor !== AMD && vendor !== INTEL) return [];
    const chip = files.list(`${device}/hwmon`)[0];
    const idleMs = vendor === INTEL ? (number(`${DRM}/${card}/${RC6}`) ?? number(`${device}/${XE_IDLE}`)) : null;
    // The GPU in a processor of Intel has no sensors and no memory of its own. Without this counter nothing is known.
    if (vendor === INTEL && chip === undefined && idleMs === null) return [];
    const sensor = `${device}/hwmon/${chip ?? ''}`;
    const drawn = number(`${sensor}/power1_average`) ?? number(`${sensor}/power1_input`);
    const counted: Counted = { microjoules: number(`${sensor}/energy1_input`), idleMs, up };
    const before = counters.get(card);
    counters.set(card, counted);
    return [
      {
        id: cutToBytes(slotOf(files, device) ?? card, 32),
        vendor: vendor === AMD ? 'amd' : 'intel',
        name: nameOf(word(`${device}/product_name`), vendor, word(`${device}/device`)),
        use_percent: boundedShare(number(`${device}/gpu_busy_percent`)) ?? awakePercent(before, counted),
        memory_used_bytes: number(`${device}/mem_info_vram_used`),
        memory_total_bytes: number(`${device}/mem_info_vram_total`),
        celsius: milliDegrees(word(`${sensor}/temp1_input`)),
        power_watts: watts(drawn) ?? wattsOf(before, counted),
        power_limit_watts: watts(number(`${sensor}/power1_cap`) ?? number(`${sensor}/power1_max`)),
      },
    ];
  };
}

const watts = (microwatts: number | null): number | null => (microwatts === null ? null : microwatts / 1e6);
const boundedShare = (value: number | null): number | null => (value === null || value > 100 ? null : value);

/** The address on the bus: "PCI_SLOT_NAME=0000:03:00.0". */
const slotOf = (files: Files, device: string): string | null =>
  /^PCI_SLOT_NAME=(\S+)$/m.exec(files.optional(`${device}/uevent`) ?? '')?.[1] ?? null;

function nameOf(product: string | null, vendor: string, device: string | null): string {
  if (product !== null && product !== '') return cutToBytes(product, NAME_BYTES);
  return `${vendor === AMD ? 'AMD' : 'Intel'} GPU${device === null ? '' : ` ${cutToBytes(device.replace(/^0x/, ''), 8)}`}`;
}

/** Returns the growth of a counter in a second; null where it went back, as after a reset of the GPU. */
function rateOf(before: Counted | undefined, now: Counted, name: 'microjoules' | 'idleMs'): number | null {
  const [first, last] = [before?.[name] ?? null, now[name]];
  if (before === undefined || first === null || last === null || now.up <= before.up || last < first) return null;
  return (last - first) / (now.up - before.up);
}

function wattsOf(before: Counted | undefined, now: Counted): number | null {
  const rate = rateOf(before, now, 'microjoules');
  return rate === null ? null : rate / 1e6;
}

/** Returns the share of time outside of the idle state, in per cent: the use, or a little more. */
function awakePercent(before: Counted | undefined, now: Counted): number | null {
  const idle = rateOf(before, now, 'idleMs');
  return idle === null ? null : Math.min(100, Math.max(0, 100 - idle / 10));
}
