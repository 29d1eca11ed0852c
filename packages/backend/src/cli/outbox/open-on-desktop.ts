import { spawn } from 'node:child_process';

/** Milliseconds after which the opening program is taken to have succeeded. */
const OPEN_TIMEOUT_MS = 1_500;

type Environment = Readonly<Record<string, string | undefined>>;

/** A program and the arguments before the file's path. */
type Opener = readonly [command: string, ...parameters: string[]];

/** Returns the program that opens a file on this desktop, or `undefined` when there is no display. */
export function desktopOpener(environment: Environment, platform = process.platform): Opener | undefined {
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  if (platform === 'darwin') return environment.SSH_CONNECTION ? undefined : ['open'];
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Opens a file and returns whether that worked. The program outlives this process. */
export function openOnDesktop(
  path: string,
  [command, ...parameters]: Opener,
  environment: Environment,
): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { detached: true, stdio: 'ignore', env: environment } as const;
    const child = spawn(command, [...parameters, path], options);
    const timer = setTimeout(() => end(true), OPEN_TIMEOUT_MS);
    const end = (opened: boolean) => {
      clearTimeout(timer);
      child.unref();
      resolve(opened);
    };
    child.once('error', () => end(false));
    child.once('exit', (code) => end(code === 0));
  });
}
