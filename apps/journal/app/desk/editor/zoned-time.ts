/** Browsers know these zones by former names, too, and some list them by those alone (the file `backward` of IANA's data). */
const RENAMED: Record<string, string> = {
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

/** Returns the time zones that the browser knows, by today's names: the author's own first, then by the alphabet. */
export function timeZones(): string[] {
  const own = ownTimeZone();
  const all = ['UTC', ...Intl.supportedValuesOf('timeZone')].map(todaysName).sort();
  return [own, ...new Set(all.filter((zone) => zone !== own))];
}

export function ownTimeZone(): string {
  return todaysName(Intl.DateTimeFormat().resolvedOptions().timeZone);
}

/** Returns what a time zone is called today, unless the browser does not know that name yet. */
export function todaysName(zone: string): string {
  const renamed = RENAMED[zone];
  return renamed !== undefined && isTimeZone(renamed) ? renamed : zone;
}

/** Returns whether the browser knows a time zone. The server's list may be newer than the browser's. */
export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }));
  } catch {
    return false;
  }
}

/**
 * Returns the epoch milliseconds of a date (`2026-03-29`) and a time (`02:30`) on the clocks of a time zone, or `undefined`
 * where these clocks jump over that time. Of a time that comes twice, it is the first one.
 */
export function parseZonedTime(date: string, time: string, timeZone: string): number | undefined {
  const wanted = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(wanted)) return undefined;
  // The offset changes at most once within the two days around.
  const offsets = [-DAY_MS, DAY_MS].map((shift) => offsetAt(wanted + shift, timeZone));
  return offsets
    .map((offset) => wanted - offset)
    .filter((candidate) => candidate + offsetAt(candidate, timeZone) === wanted)
    .sort((one, other) => one - other)[0];
}

/** Returns the date and the time of epoch milliseconds on the clocks of a time zone, as inputs take them. */
export function formatZonedTime(at: number, timeZone: string): { date: string; time: string } {
  const [date = '', time = ''] = new Date(at + offsetAt(at, timeZone)).toISOString().split('T');
  return { date, time: time.slice(0, 5) };
}

const DAY_MS = 86_400_000;

/** Returns the milliseconds by which the clocks of a time zone are ahead of UTC. */
function offsetAt(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const read = (name: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find(({ type }) => type === name)?.value ?? 0);
  const local = Date.UTC(
    read('year'),
    read('month') - 1,
    read('day'),
    read('hour'),
    read('minute'),
    read('second'),
  );
  return local - Math.floor(at / 1_000) * 1_000;
}
