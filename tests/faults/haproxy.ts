import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@fabrica/test-peers/start-server.ts';

const EXAMPLE = fileURLToPath(new URL('../../deploy/proxies/haproxy.cfg', import.meta.url));
const START_MS = 20_000;

export interface Haproxy {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts HAProxy with the file of `deploy/proxies`, on a free port and in front of nodes on these ports. Without `retries`, it
 * gives no request to a second node.
 */
export async function startHaproxy(
  program: string,
  nodePorts: readonly number[],
  { retries = true } = {},
): Promise<Haproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-haproxy-'));
  const port = await freePort();
  const config = join(folder, 'haproxy.cfg');
  const text = configure(await readFile(EXAMPLE, 'utf8'), port, nodePorts);
  await writeFile(config, retries ? text : withoutRetries(text));
  const child = spawn(program, ['-db', '-f', config], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await untilListening(child, url);
  return {
    url,
    async close() {
      if (child.exitCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the example with addresses of this machine, which need no look-up. */
function configure(example: string, port: number, nodePorts: readonly number[]): string {
  const servers = nodePorts.map((one, at) => `  server node${at + 1} 127.0.0.1:${one}`);
  const lines = example.split('\n').filter((line) => !/^\s+server node/.test(line));
  const text = [...lines, ...servers, ''].join('\n').replace('maxconn 20000', 'maxconn 2000');
  return text.replace('bind :8080', `bind 127.0.0.1:${port}`);
}

function withoutRetries(text: string): string {
  return text
    .replace('retries 2', 'retries 0')
    .replace(/^.*(retry-on|option redispatch|disable-l7-retry).*\n/gm, '');
}

async function untilListening(child: ChildProcess, url: string): Promise<void> {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; await wait(50)) {
    if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}.`);
    const answered = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answered) return;
  }
  throw new Error('HAProxy did not start.');
}
