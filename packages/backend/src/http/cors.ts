import type { MiddlewareHandler } from 'hono';
import type { ProjectDefinition } from '../core/project.ts';
import type { Project } from '../database/project.ts';
import type { AppEnvironment } from './environment.ts';
import { sharedOf } from './shared-response.ts';

const EXPOSED = 'Content-Range, X-Next-Cursor, X-Request-Id, Retry-After';
const METHODS = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS';
const DAY_SECONDS = 86_400;

/** The parts of a request that CORS looks at; also of one that a cache responds to. */
interface CorsRequest {
  method: string;
  /** Names in lower case. */
  header(name: string): string | undefined;
}

/** The origins whose pages may read responses; `*` opens the anonymous role alone to every page. */
type Origins = ReadonlySet<string>;

export interface OriginLists {
  /** Returns a project's origins and the product's own; for an unknown project the product's own alone. */
  of(projectId: string): Origins;
  /** The origins of all projects. */
  all: Origins;
}

/** Matches a web address as RFC 3986 writes one, and what precedes its path. It has no user, white space or backslash. */
const WEB_URL = /^(https?:\/\/[^/?#@\s\\]+)(?:[/?#][^\s\p{Cc}\\]*)?$/iu;

/**
 * Tells whether this is the web address of a page whose origin is on the list. Strict parsers, as apps have, must find the
 * host in it that browsers do: these read `\` as `/`, drop line ends, and decode hosts, as in `http://2130706433`.
 */
export function isAllowedOrigin(url: string, origins: ReadonlySet<string>): boolean {
  const written = WEB_URL.exec(url)?.[1]?.toLowerCase();
  const parsed = URL.parse(url);
  if (written === undefined || !parsed) return false;
  const defaultPort = parsed.protocol === 'http:' ? ':80' : ':443';
  return [parsed.origin, parsed.origin + defaultPort].includes(written) && origins.has(parsed.origin);
}

export function listOrigins(publicUrl: string, projects: readonly ProjectDefinition[]): OriginLists {
  const ours: Origins = new Set([publicUrl]);
  const lists = new Map(projects.map(({ id, origins }) => [id, new Set([publicUrl, ...origins])]));
  return {
    of: (projectId) => lists.get(projectId) ?? ours,
    all: new Set([publicUrl, ...projects.flatMap(({ origins }) => origins)]),
  };
}

/**
 * Returns the CORS headers of a response; none where the request has no origin. A response to a request with an
 * Authorization header may only be read by an origin that is listed by name.
 */
export function corsHeaders(request: CorsRequest, origins: Origins): Record<string, string> {
  const origin = request.header('origin');
  if (origin === undefined) return {};
  const preflight = isPreflight(request);
  const asked = request.header('access-control-request-headers');
  const withToken = preflight
    ? /authorization/i.test(asked ?? '')
    : request.header('authorization') !== undefined;
  const named = origins.has(origin);
  return {
    vary: 'Origin',
    ...((named || (origins.has('*') && !withToken)) && {
      'access-control-allow-origin': named ? origin : '*',
      'access-control-expose-headers': EXPOSED,
    }),
    ...(preflight && {
      'access-control-allow-methods': METHODS,
      'access-control-max-age': String(DAY_SECONDS),
      ...(asked && { 'access-control-allow-headers': asked }),
    }),
  };
}

/**
 * Lets pages of a project's origins read its responses, and those of no other project.
 *
 * The calls of `/api/auth` name their project in the body or by a token, which a preflight does not have: any
 * project's page may send them. Nothing is lost by that, since no cookie speaks for anybody there: a page has the
 * tokens of its own origin's storage alone, and may know a password as well as any program may. The route says whose
 * response it is; what pages of other origins cannot read, they cannot use their visitors' browsers to guess. A response
 * of no project (a limit that is reached, an unreadable body) tells nothing and may be read by all of them.
 */
export function cors(lists: OriginLists): MiddlewareHandler<AppEnvironment> {
  return async (c, next) => {
    const request: CorsRequest = { method: c.req.method, header: (name) => c.req.header(name) };
    const ofPath = originsOfPath(lists, c.req.path);
    if (isPreflight(request)) {
      return new Response(null, { status: 204, headers: corsHeaders(request, ofPath) });
    }
    await next();
    const project: Project | undefined = c.get('project');
    const origins = project ? lists.of(project.definition.id) : ofPath;
    const shared = sharedOf(c);
    if (shared) shared.origins = origins;
    for (const [name, value] of Object.entries(corsHeaders(request, origins))) {
      if (name === 'vary') c.res.headers.append(name, value);
      else c.res.headers.set(name, value);
    }
    return undefined;
  };
}

function isPreflight({ method, header }: CorsRequest): boolean {
  return method === 'OPTIONS' && header('access-control-request-method') !== undefined;
}

function originsOfPath(lists: OriginLists, path: string): Origins {
  const [, , service, projectId = ''] = path.split('/');
  return service === 'auth' ? lists.all : lists.of(projectId);
}
