import { readFile } from 'node:fs/promises';
import type { CDPSession } from 'playwright-core';

const INTERVAL_MS = 250;

/**
 * Kills renderers that take more memory than this. Returns the function that stops watching. Scripts have a limit of
 * their own, but their buffers and images have none. Without `/proc` it does nothing.
 */
export function watchMemory(session: CDPSession, maxMegabytes: number): () => void {
  let isChecking = false;
  const timer = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    const { processInfo } = await session
      .send('SystemInfo.getProcessInfo')
      .catch(() => ({ processInfo: [] }));
    for (const { type, id } of processInfo) {
      if (type === 'renderer' && (await megabytesOf(id)) > maxMegabytes) killProcess(id);
    }
    isChecking = false;
  }, INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

async function megabytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}

export function killProcess(pid: number | undefined): void {
  try {
    if (pid) process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
}
