import { createLogDestination, createLogOptions } from '@fabrica/backend';
import { type Logger, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';

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
export function openLog(level: string, { fd, isTTY }: { fd: number; isTTY: boolean }): OpenLog {
  const destination = createLogDestination(fd);
  const pretty = prettyFactory({
    colorize: isTTY,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'requestId,method,path,status,ms',
    messageFormat: (line, messageKey) =>
      messageOf(line as unknown as RequestLine, String(line[messageKey] ?? '')),
  });
  const showsReads = level === 'debug' || level === 'trace';
  const write = (line: string) => {
    const entry: RequestLine = JSON.parse(line);
    if (showsReads || !isRead(entry)) destination.write(pretty(entry));
  };
  const log = pino({ ...createLogOptions(), level }, isTTY ? { write } : destination);
  return { log, flush: destination.flush };
}

function isRead({ level, method, status = 0 }: RequestLine): boolean {
  return level <= 30 && (method === 'GET' || method === 'HEAD') && status < 400;
}

function messageOf({ method, path, status, ms }: RequestLine, text: string): string {
  return method === undefined ? text : `${method} ${path} ${status} in ${ms} ms ${text}`.trimEnd();
}
