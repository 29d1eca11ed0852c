import { AuthError, errorFromResponse, NetworkError, type ServiceName } from './errors.ts';

/** Sends a request as `fetch` does. */
export type Transport = (url: string, init: RequestInit) => Promise<Response>;

export interface HttpRequest {
  service: ServiceName;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the origin: `/api/…`. */
  path: string;
  query?: URLSearchParams;
  json?: unknown;
  form?: FormData;
  /** A body that is sent as it is; its `content-type` is among the headers. */
  text?: string;
  /** Whether the response is a text, rather than JSON: `body` is undefined then. */
  expectsText?: boolean;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Lets the request outlive the page. Browsers refuse it for bodies above 64 kB. */
  keepalive?: boolean | undefined;
  /** Replaces `fetch`, for features that `fetch` lacks (upload progress). */
  transport?: Transport | undefined;
}

export interface HttpResponse {
  status: number;
  headers: Headers;
  /** Parsed JSON; null if the body was empty. */
  body: unknown;
  text: string;
}

/** Provides the bearer token of calls. */
export interface BearerSource {
  /** Resolves with a valid token, refreshed if necessary, or with undefined for an anonymous caller. */
  accessToken(): Promise<string | undefined>;
  /** Resolves with a token that replaces one that the server rejected, or with undefined if there is none. */
  renew(rejected: string): Promise<string | undefined>;
}

/** Sends one request, with the token if there is one. Throws a FabricaError, or the reason of its signal. */
export type SendHttpRequest = (request: HttpRequest, token?: string) => Promise<HttpResponse>;

export interface HttpClient {
  /** Sends with the caller's token. After a 401 it refreshes the token and sends once more. */
  request(request: HttpRequest): Promise<HttpResponse>;
  /** Resolves when no request is under way. */
  idle(): Promise<void>;
}

interface SendHttpRequestOptions {
  /** Without a slash at its end. */
  origin: string;
  fetch: Transport;
  /** Returns the language of responses, and of the mails that calls cause. */
  language?: (() => string | undefined) | undefined;
}

export function createSendHttpRequest({ origin, fetch, language }: SendHttpRequestOptions): SendHttpRequest {
  return async (request, token) => {
    const { path, query, signal, service, expectsText = false, transport = fetch } = request;
    const search = query?.toString();
    const url = `${origin}${path}${search ? `?${search}` : ''}`;
    const init = buildInit(request, { token, language: language?.() });
    let response: Response;
    let text: string;
    try {
      response = await transport(url, init);
      text = await response.text();
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      throw new NetworkError({ cause });
    }
    const { status, headers } = response;
    const body = parseJson(text);
    if (!response.ok) {
      const retryAfter = headers.get('retry-after');
      throw errorFromResponse({ service, status, body: body ?? null, retryAfter });
    }
    // A success without JSON comes from between us and the server: a captive portal or a proxy.
    if (body === undefined && !expectsText) throw new NetworkError({ status });
    return { status, headers, body, text };
  };
}

export function createHttpClient(send: SendHttpRequest, bearer: BearerSource): HttpClient {
  const pending = new Set<Promise<HttpResponse>>();

  async function sendWithToken(request: HttpRequest): Promise<HttpResponse> {
    const token = await bearer.accessToken();
    try {
      return await send(request, token);
    } catch (error) {
      if (!token || !isTokenRejected(error)) throw error;
      const renewed = await bearer.renew(token);
      if (!renewed) throw error;
      return send(request, renewed);
    }
  }

  return {
    request(request) {
      const running = sendWithToken(request).finally(() => pending.delete(running));
      pending.add(running);
      return running;
    },
    async idle() {
      while (pending.size > 0) await Promise.allSettled(pending);
    },
  };
}

/** Returns the body of a response that must have this field. Throws a NetworkError if it does not. */
export function parseBody<T extends object>({ body, status }: HttpResponse, field: keyof T): T {
  if (typeof body !== 'object' || body === null || !(field in body)) throw new NetworkError({ status });
  return body as T;
}

function buildInit(
  { method, json, form, text, expectsText, headers, signal, keepalive }: HttpRequest,
  { token, language }: { token: string | undefined; language: string | undefined },
): RequestInit {
  const body = json === undefined ? (form ?? text) : JSON.stringify(json);
  return {
    method,
    headers: {
      accept: expectsText ? '*/*' : 'application/json',
      ...(language && { 'accept-language': language }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
    ...(keepalive && { keepalive }),
  };
}

function isTokenRejected(error: unknown): boolean {
  return error instanceof AuthError && error.status === 401 && error.code !== 'INVALID_CREDENTIALS';
}

/** Returns undefined for text that is not JSON, and null for empty text. */
function parseJson(text: string): unknown {
  if (!text.trim()) return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
