import { execFileSync } from 'node:child_process';

/** The Chromiums that a process has started and that are there; for tests. */
export function chromiums(parent = process.pid): number[] {
  return execFileSync('ps', ['-Ao', 'ppid=,pid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([ppid, , state, ...command]) => {
      return Number(ppid) === parent && !state?.startsWith('Z') && command.join(' ').includes('--headless');
    })
    .map(([, pid]) => Number(pid));
}

/** Is the process there, and not just its name? */
export function exists(pid: number): boolean {
  return execFileSync('ps', ['-Ao', 'pid=,stat='], { encoding: 'utf8' })
    .split('\n')
    .some((line) => new RegExp(`^\\s*${pid}\\s+[^Z]`).test(line));
}
