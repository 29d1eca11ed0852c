import { spawn } from 'node:child_process';

/** Milliseconds in which a program that finds nothing to open a file with has said so. */
const PATIENCE_MS = 1_500;

type Environment = Readonly<Record<string, string | undefined>>;

/** The program, and what stands before the file's path. */
type Opener = readonly [command: string, ...parameters: string[]];

/** What opens a file for the person who sits at this machine; undefined when there is no display. */
export function desktopOpener(environment: Environment, platform = process.platform): Opener | undefined {
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  if (platform === 'darwin') return environment.SSH_CONNECTION ? undefined : ['open'];
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Answers whether it could be opened; what opens it lives on without us. */
export function openOnDesktop(
  path: string,
  [command, ...parameters]: Opener,
  environment: Environment,
): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { detached: true, stdio: 'ignore', env: environment } as const;
    const child = spawn(command, [...parameters, path], options);
    const timer = setTimeout(() => end(true), PATIENCE_MS);
    const end = (opened: boolean) => {
      clearTimeout(timer);
      child.unref();
      resolve(opened);
    };
    child.once('error', () => end(false));
    child.once('exit', (code) => end(code === 0));
  });
}
