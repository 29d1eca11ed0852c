import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';

/** Returns the IP addresses of a name in a hosts file, such as /etc/hosts; none when there is no such file. */
export type HostsFile = (name: string) => Promise<readonly string[]>;

/** Reads a hosts file, and reads it again when it has changed. */
export function createHostsFile(path = '/etc/hosts'): HostsFile {
  let version: number | undefined;
  let names = new Map<string, string[]>();
  return async (name) => {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: undefined }));
    if (mtimeMs !== version) {
      names = parseHosts(await readFile(path, 'utf8').catch(() => ''));
      version = mtimeMs;
    }
    return names.get(name) ?? [];
  };
}

function parseHosts(text: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    if (!isIP(address)) continue;
    for (const alias of aliases) names.set(alias, [...(names.get(alias) ?? []), address]);
  }
  return names;
}
