/**
 * Browsers list zones by the names the time zone database had when each first appeared (CLDR keeps them as its identifiers);
 * people look for what their city is called today. Both are understood.
 */
const TODAY: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

export const zoneToday = (zone: string): string => TODAY[zone] ?? zone;

/** The zones to choose from: UTC, then the others by name. */
export const zoneList = (known = Intl.supportedValuesOf('timeZone')): string[] => {
  const others = new Set(known.map(zoneToday));
  others.delete('UTC');
  return ['UTC', ...[...others].toSorted()];
};

/** Returns the zone of the browser by the name of today. */
export const browserZone = (): string => zoneToday(new Intl.DateTimeFormat().resolvedOptions().timeZone);
