import { createLogDestination, createLogOptions } from '@fabrica/backend';
import { type Logger, pino } from 'pino';

/** What a line of the log says of a request. */
interface RequestLine {
  level: number;
  method?: string;
  path?: string;
  status?: number;
  ms?: number;
}

export interface OpenLog {
  log: Logger;
  /** Writes what waits, at once. */
  flush(): void;
}

/**
 * Opens the log on a stream: lines of JSON for programs, or readable ones where the stream is a terminal. A terminal shows no
 * requests that read and succeed, unless the level is `debug`: each page makes a dozen.
 */
export async function openLog(
  level: string,
  { fd, isTTY }: { fd: number; isTTY: boolean },
): Promise<OpenLog> {
  const destination = createLogDestination(fd);
  const stream = isTTY ? { write: await writeReadably(destination.write, level) } : destination;
  return { log: pino({ ...createLogOptions(), level }, stream), flush: destination.flush };
}

/** Returns what writes lines of JSON as people read them. Only terminals load it. */
async function writeReadably(write: (line: string) => void, level: string): Promise<(line: string) => void> {
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({
    colorize: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'requestId,method,path,status,ms',
    messageFormat: (line, messageKey) =>
      messageOf(line as unknown as RequestLine, String(line[messageKey] ?? '')),
  });
  const showsReads = level === 'debug' || level === 'trace';
  return (line) => {
    const entry: RequestLine = JSON.parse(line);
    if (showsReads || !isRead(entry)) write(pretty(entry));
  };
}

function isRead({ level, method, status = 0 }: RequestLine): boolean {
  return level <= 30 && (method === 'GET' || method === 'HEAD') && status < 400;
}

function messageOf({ method, path, status, ms }: RequestLine, text: string): string {
  return method === undefined ? text : `${method} ${path} ${status} in ${ms} ms ${text}`.trimEnd();
}
