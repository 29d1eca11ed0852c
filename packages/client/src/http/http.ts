import { AuthError, errorFromResponse, NetworkError, type ServiceName } from './errors.ts';

/** Something that sends a request as `fetch` does; XMLHttpRequest can be dressed as one. */
export type Transport = (url: string, init: RequestInit) => Promise<Response>;

export interface HttpRequest {
  service: ServiceName;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** From the origin on: `/api/…`. */
  path: string;
  query?: URLSearchParams;
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** In place of `fetch`, for what `fetch` cannot tell (upload progress). */
  transport?: Transport | undefined;
}

export interface HttpResponse {
  status: number;
  headers: Headers;
  /** Parsed JSON; null when the body was empty. */
  body: unknown;
  text: string;
}

/** Where the bearer of a call comes from. */
export interface BearerSource {
  /** A token that is good by our clock, refreshed first if need be; undefined for an anonymous caller. */
  accessToken(): Promise<string | undefined>;
  /** Another token in place of one that the server refused; undefined when there is none. */
  renew(refused: string): Promise<string | undefined>;
}

/** Sends one request with the given bearer, or none; throws a FabricaError, or the reason of its signal. */
export type SendHttpRequest = (request: HttpRequest, token?: string) => Promise<HttpResponse>;

export interface HttpClient {
  /** Sends with the caller's bearer; a 401 is answered with one refresh and one more try. */
  request(request: HttpRequest): Promise<HttpResponse>;
}

export interface SendHttpRequestOptions {
  origin: string;
  fetch: Transport;
  /** The language that answers, and mails that follow from them, are wanted in. */
  language?: (() => string | undefined) | undefined;
}

export function createSendHttpRequest({ origin, fetch, language }: SendHttpRequestOptions): SendHttpRequest {
  const base = origin.replace(/\/+$/, '');
  return async (request, token) => {
    const { method, path, query, json, form, headers, signal, service, transport = fetch } = request;
    const search = query?.toString();
    const body = json === undefined ? form : JSON.stringify(json);
    const wanted = language?.();
    const init: RequestInit = {
      method,
      headers: {
        accept: 'application/json',
        ...(wanted && { 'accept-language': wanted }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    };
    let response: Response;
    let text: string;
    try {
      response = await transport(`${base}${path}${search ? `?${search}` : ''}`, init);
      text = await response.text();
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      throw new NetworkError({ cause });
    }
    const parsed = parseJson(text);
    if (!response.ok) throw errorFromResponse({ service, status: response.status, body: parsed ?? null });
    // A success that is no JSON comes from something between us and the server: a captive portal, a proxy.
    if (parsed === undefined) throw new NetworkError({ status: response.status });
    return { status: response.status, headers: response.headers, body: parsed, text };
  };
}

export function createHttpClient(send: SendHttpRequest, bearer: BearerSource): HttpClient {
  return {
    async request(request) {
      const token = await bearer.accessToken();
      try {
        return await send(request, token);
      } catch (error) {
        if (!token || !isTokenRefusal(error)) throw error;
        const renewed = await bearer.renew(token);
        if (!renewed) throw error;
        return send(request, renewed);
      }
    },
  };
}

function isTokenRefusal(error: unknown): boolean {
  return error instanceof AuthError && error.status === 401 && error.code !== 'INVALID_CREDENTIALS';
}

/** Undefined when the text is no JSON, null when it is empty. */
function parseJson(text: string): unknown {
  if (!text.trim()) return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
