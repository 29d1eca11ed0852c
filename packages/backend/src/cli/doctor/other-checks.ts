import type { Config } from '../../config.ts';
import type { Finding } from './finding.ts';

const TIMEOUT_MS = 5_000;
const FORBIDDEN = 403;

/** Asks the search engine as the data service does: by default, SearXNG answers in HTML alone. */
export async function checkSearch({ data: { searchUrl } }: Config): Promise<Finding[]> {
  if (searchUrl === undefined) return [];
  const url = `${searchUrl.replace(/\/$/, '')}/search?q=fabrica&format=json`;
  const response = await ask('SEARCH_URL', url);
  if (response.status === FORBIDDEN)
    throw new Error('The search engine refuses to answer in JSON: its "search.formats" have to list json.');
  await requireJson('SEARCH_URL', response);
  return [{ name: 'search', state: 'ok', text: 'The search engine answers.' }];
}

/** Sends the collector no spans, which it has to accept. */
export async function checkTraces({ observed: { traceEndpoint } }: Config): Promise<Finding[]> {
  if (traceEndpoint === undefined) return [];
  const response = await ask('OTEL_EXPORTER_OTLP_ENDPOINT', `${traceEndpoint}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"resourceSpans":[]}',
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The collector of traces responds with ${response.status}.`);
  return [{ name: 'traces', state: 'ok', text: 'The collector takes traces.' }];
}

/** Fetches what each OpenID Connect provider says of itself. */
export async function checkProviders({ auth: { providers } }: Config): Promise<Finding[]> {
  const openId = providers.filter(({ traits }) => traits.protocol === 'openid-connect');
  return Promise.all(
    openId.map(async ({ id, issuer }): Promise<Finding> => {
      const name = `sign-in by ${id}`;
      try {
        const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
        const found = await requireJson(issuer, await ask(issuer, url));
        if (typeof found.authorization_endpoint !== 'string')
          throw new Error(`${issuer} names no page to sign in on.`);
        return { name, state: 'ok', text: 'The provider responds.' };
      } catch (error) {
        return { name, state: 'failed', text: (error as Error).message };
      }
    }),
  );
}

async function ask(what: string, url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    throw new Error(`${what} cannot be reached: ${reason}.`, { cause: error });
  }
}

async function requireJson(what: string, response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${what} responds with ${response.status}.`);
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new Error(`${what} responds with something other than JSON.`);
  }
}
