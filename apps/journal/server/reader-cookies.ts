import type { Backend, Config } from '@fabrica/backend';
import type { SignInResponse, TokenSet } from '@fabrica/contract';
import type { KeptSession, ReaderCookies } from '../app/backend-context.ts';
import type { PageRequest } from './reader-fetch.ts';
import { createSessionCookie, type SessionCookie } from './session-cookie.ts';

/** Holds what a reader's cookies say, and collects the cookies of the response. */
export interface Reader {
  session: KeptSession;
  cookies: ReaderCookies;
  /** The Set-Cookie headers of the response. */
  setCookies: string[];
}

interface ReaderCookiesOptions {
  backend: Pick<Backend, 'resumeSession'>;
  config: Pick<Config, 'publicUrl' | 'projectId'>;
}

interface Readers {
  /** Reads the cookies of a request. */
  read(request: Pick<PageRequest, 'header'>): Promise<Reader>;
}

/** Creates what reads the cookies of requests. */
export function createReaders({ backend, config: { publicUrl, projectId } }: ReaderCookiesOptions): Readers {
  const cookie = createSessionCookie(publicUrl);
  const read = async ({ header }: Pick<PageRequest, 'header'>): Promise<Reader> => {
    const sent = header('cookie');
    const token = cookie.read(sent);
    const setCookies: string[] = [];
    // A token names its project, and this site keeps sessions of the journal alone.
    const tokens = token?.startsWith(`${projectId}.`) ? await backend.resumeSession(token) : undefined;
    if (token !== undefined && !tokens) setCookies.push(cookie.remove());
    return {
      session: keptSession(tokens ?? null, cookie, setCookies),
      cookies: { header: sent, set: (line) => void setCookies.push(line) },
      setCookies,
    };
  };
  return { read };
}

function keptSession(
  tokens: SignInResponse | null,
  cookie: SessionCookie,
  setCookies: string[],
): KeptSession {
  return {
    tokens,
    keep: ({ refresh_token }: TokenSet) => void setCookies.push(cookie.keep(refresh_token)),
    release: () => void setCookies.push(cookie.remove()),
  };
}
