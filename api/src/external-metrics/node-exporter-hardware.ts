import { figureKey } from './collect-readings.ts';
import type { FigureKey } from './types.ts';

/** Returns the key of a series of this metric. Null: a report has no place for it. */
export type KeyOf = (label: (name: string) => string) => FigureKey | null;

const sensor =
  (figure: 'temperature' | 'fan', what: string): KeyOf =>
  (label) =>
    figureKey(figure, label('chip'), label('sensor'), what);
const array =
  (what: string): KeyOf =>
  (label) =>
    figureKey('raid', label('device'), what);
const supply =
  (what: string): KeyOf =>
  (label) =>
    figureKey('supply', label('power_supply'), what);
const drive =
  (what: string): KeyOf =>
  (label) =>
    figureKey('drive', label('disk'), what);

/**
 * Metrics of hardware: of node_exporter's own collectors, and of the scripts apt_info.py, yum.sh and smartmon.sh for its
 * textfile collector (prometheus-community/node-exporter-textfile-collector-scripts, which Debian ships).
 */
export const HARDWARE_METRICS: Partial<Record<string, KeyOf>> = {
  node_hwmon_temp_celsius: sensor('temperature', 'now'),
  node_hwmon_temp_crit_celsius: sensor('temperature', 'critical'),
  node_hwmon_temp_fault: sensor('temperature', 'fault'),
  node_hwmon_fan_rpm: sensor('fan', 'now'),
  node_hwmon_fan_alarm: sensor('fan', 'alarm'),
  node_hwmon_fan_fault: sensor('fan', 'fault'),
  node_hwmon_sensor_label: (label) => figureKey('sensor-label', label('chip'), label('sensor'), label('label')),
  node_hwmon_chip_names: (label) => figureKey('chip-name', label('chip'), label('chip_name')),
  node_thermal_zone_temp: (label) => figureKey('thermal-zone', label('zone'), label('type')),
  node_md_disks: (label) => figureKey('raid', label('device'), label('state')),
  node_md_disks_required: array('required'),
  node_md_blocks: array('blocks'),
  node_md_blocks_synced: array('synced'),
  node_md_state: (label) => figureKey('raid-state', label('device'), label('state')),
  node_zfs_zpool_state: (label) => figureKey('pool-state', label('zpool'), label('state')),
  node_btrfs_info: (label) => figureKey('btrfs', label('uuid'), label('label')),
  node_btrfs_device_size_bytes: (label) => figureKey('btrfs-device', label('uuid'), label('device')),
  node_btrfs_device_errors_total: (label) =>
    figureKey('btrfs-errors', label('uuid'), label('device'), label('type').replace(/(?:_io)?_err(?:or)?s$/, '')),
  node_power_supply_info: (label) =>
    figureKey(
      'supply-info',
      label('power_supply'),
      label('type'),
      label('status'),
      label('manufacturer'),
      label('model_name'),
      label('scope'),
    ),
  node_power_supply_online: supply('online'),
  node_power_supply_capacity: supply('charge'),
  node_power_supply_present: supply('present'),
  node_power_supply_time_to_empty_seconds: supply('seconds-left'),
  node_power_supply_energy_full: supply('full'),
  node_power_supply_energy_full_design: supply('full-design'),
  node_power_supply_charge_full: supply('charge-full'),
  node_power_supply_charge_full_design: supply('charge-full-design'),
  node_vmstat_oom_kill: () => 'oom-kills',
  node_reboot_required: () => 'reboot-required',
  apt_upgrades_pending: (label) => figureKey('updates', 'apt', label('origin'), label('arch')),
  apt_package_cache_timestamp_seconds: () => 'updates-checked-at',
  yum_upgrades_pending: (label) => figureKey('updates', 'yum', label('origin')),
  smartmon_device_info: (label) => figureKey('drive-info', label('disk'), label('type'), label('device_model')),
  smartmon_device_smart_healthy: drive('healthy'),
  smartmon_temperature_celsius_raw_value: drive('celsius'),
  smartmon_power_on_hours_raw_value: drive('hours'),
  smartmon_reallocated_sector_ct_raw_value: drive('reallocated'),
  smartmon_current_pending_sector_raw_value: drive('pending'),
  smartmon_offline_uncorrectable_raw_value: drive('uncorrectable'),
};

/** Labels that the metrics of hardware are named by, beside those of other metrics. */
export const HARDWARE_LABELS =
  `chip sensor label chip_name zone state zpool uuid power_supply status manufacturer model_name scope origin
   arch disk device_model`.split(/\s+/);
