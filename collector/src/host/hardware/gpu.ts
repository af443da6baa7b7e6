import { errorText } from '@plimsoll/contract/rules/error-text';
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
        const argv = [`--query-gpu=${FIELDS}`, '--format=csv,noheader,nounits'];
        return { part: { gpus: [...parseNvidia(await exec('nvidia-smi', argv)), ...ofKernel] } };
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
        // The program writes the domain with eight digits, the kernel with four.
        id: id.toLowerCase().replace(/^0000(?=[0-9a-f]{4}:)/, ''),
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

const MOST_WATTS = 100_000;
const numberOf = (text: string | null | undefined, most = 1e12): number | null =>
  text != null && /^\d{1,15}(?:\.\d+)?$/.test(text) && Number(text) <= most ? Number(text) : null;
const times = (value: number | null, factor: number): number | null => (value === null ? null : value * factor);

const AMD = '0x1002';
const INTEL = '0x8086';
interface Energy {
  microjoules: number;
  up: number;
}

/** Keeps the energy counters of Intel between two readings: their difference is the power. */
function cardReader(files: Files): (card: string, now: Moment) => GpuPart[] {
  const energies = new Map<string, Energy>();
  return (card, { up }) => {
    const device = `${DRM}/${card}/device`;
    const word = (path: string): string | null => files.optional(path)?.trim() ?? null;
    const number = (path: string): number | null => numberOf(word(path));
    const vendor = word(`${device}/vendor`);
    if (vendor !== AMD && vendor !== INTEL) return [];
    const chip = files.list(`${device}/hwmon`)[0];
    // The GPU in a processor of Intel has no sensors and no memory of its own: nothing of it is known.
    if (vendor === INTEL && chip === undefined) return [];
    const sensor = `${device}/hwmon/${chip ?? ''}`;
    const drawn = number(`${sensor}/power1_average`) ?? number(`${sensor}/power1_input`);
    const energy = number(`${sensor}/energy1_input`);
    const before = energies.get(card);
    if (energy !== null) energies.set(card, { microjoules: energy, up });
    return [
      {
        id: cutToBytes(slotOf(files, device) ?? card, 32),
        vendor: vendor === AMD ? 'amd' : 'intel',
        name: nameOf(word(`${device}/product_name`), vendor, word(`${device}/device`)),
        use_percent: boundedShare(number(`${device}/gpu_busy_percent`)),
        memory_used_bytes: number(`${device}/mem_info_vram_used`),
        memory_total_bytes: number(`${device}/mem_info_vram_total`),
        celsius: milliDegrees(word(`${sensor}/temp1_input`)),
        power_watts: watts(drawn) ?? wattsOf(before, energy, up),
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

/** A counter that went back, as after a reset of the GPU, gives no power. */
function wattsOf(before: Energy | undefined, microjoules: number | null, up: number): number | null {
  if (before === undefined || microjoules === null || up <= before.up || microjoules < before.microjoules) return null;
  return (microjoules - before.microjoules) / 1e6 / (up - before.up);
}
