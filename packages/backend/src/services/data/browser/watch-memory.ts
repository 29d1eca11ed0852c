import { readFile } from 'node:fs/promises';
import type { CDPSession } from 'playwright-core';

const LOOK_EVERY_MS = 250;

/**
 * Ends renderers (of a page, or of another host in it) that take more than this, until it is called off: scripts have a limit of their own, their buffers and pictures
 * have none. Where there is no `/proc`, neither has this.
 */
export function watchMemory(session: CDPSession, maxMegabytes: number): () => void {
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    const { processInfo } = await session
      .send('SystemInfo.getProcessInfo')
      .catch(() => ({ processInfo: [] }));
    for (const { type, id } of processInfo) {
      if (type === 'renderer' && (await megabytesOf(id)) > maxMegabytes) kill(id);
    }
    looking = false;
  }, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

async function megabytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}

export function kill(pid: number | undefined): void {
  try {
    if (pid) process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
