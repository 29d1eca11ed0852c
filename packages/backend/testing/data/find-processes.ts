import { execFileSync } from 'node:child_process';

/** Returns the running Chromiums that a process has started. */
export function chromiums(parent = process.pid): number[] {
  return execFileSync('ps', ['-Ao', 'ppid=,pid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([ppid, , state, ...command]) => {
      return Number(ppid) === parent && !state?.startsWith('Z') && command.join(' ').includes('--headless');
    })
    .map(([, pid]) => Number(pid));
}

/** Returns whether a process runs and is no zombie. */
export function exists(pid: number): boolean {
  return execFileSync('ps', ['-Ao', 'pid=,stat='], { encoding: 'utf8' })
    .split('\n')
    .some((line) => new RegExp(`^\\s*${pid}\\s+[^Z]`).test(line));
}
