import * as schemas from '@fabrica/contract/schemas';
import { z } from 'zod';
import * as desk from '../../apps/journal/desk/requests.ts';
import { commentTranslationBody } from '../../apps/journal/desk/translations/comments/routes.ts';
import { termBody } from '../../apps/journal/desk/translations/glossary/terms.ts';
import { translateBody } from '../../apps/journal/desk/translations/jobs/routes.ts';
import { reportBody } from '../../apps/journal/desk/translations/reports/routes.ts';
import * as translations from '../../apps/journal/desk/translations/requests.ts';
import { postDocument } from '../../apps/journal/project/document.ts';
import { batchBody, sqlBody } from '../../packages/backend/src/services/rest/sql/schemas.ts';

/** A call of the server with the schema of what it takes. */
export interface Route {
  method: string;
  /** `{post}` stands for a post of the account that calls, and `{segment}` for a segment of it. */
  path: string;
  schema: z.ZodType;
  /** Whether the schema is that of the query. */
  isQuery?: boolean;
  /** The call ends the session: each request has an account of its own. */
  endsSession?: boolean;
  /** The call wants the secret key. */
  asService?: boolean;
  /** The call wants somebody who reviews translations. */
  asEditor?: boolean;
}

const auth = (method: string, path: string, schema: z.ZodType): Route => ({
  method,
  path: `/api/auth/${path}`,
  schema,
});
const post = (path: string, schema: z.ZodType): Route => ({ method: 'POST', path, schema });
const query = (path: string, schema: z.ZodType): Route => ({ method: 'GET', path, schema, isQuery: true });
const put = (path: string, schema: z.ZodType): Route => ({ method: 'PUT', path, schema });
const anything = z.record(z.string(), z.unknown());

/** Every call that takes a body or a query by a schema. */
export const ROUTES: readonly Route[] = [
  auth('POST', 'signup', schemas.signUpRequest),
  auth('POST', 'signin/email', schemas.signInRequest),
  auth('POST', 'refresh', schemas.refreshRequest),
  { ...auth('POST', 'logout', schemas.signOutRequest), endsSession: true },
  { ...auth('PATCH', 'me', schemas.profileUpdate), endsSession: true },
  auth('POST', 'introspect', anything),
  auth('POST', 'password/reset', schemas.mailRequest),
  { ...auth('POST', 'password/reset/generate', schemas.mailRequest), asService: true },
  auth('POST', 'password/reset/confirm', schemas.passwordResetRequest),
  auth('POST', 'password/change', schemas.passwordChange),
  auth('POST', 'email/verify', schemas.proofRequest),
  { ...auth('POST', 'email/verify/generate', schemas.verificationRequest), asService: true },
  auth('POST', 'signin/magic', schemas.mailRequest),
  { ...auth('POST', 'signin/magic/generate', schemas.mailRequest), asService: true },
  auth('POST', 'signin/magic/verify', schemas.proofRequest),
  auth('POST', 'complete', schemas.completionRequest),
  query('/api/auth/providers', schemas.providersQuery),
  query('/api/auth/people', schemas.peopleQuery),
  auth('PATCH', 'people/none', schemas.roleChange),
  auth('POST', 'export', schemas.provenRequest),
  auth('DELETE', 'sessions/none', schemas.provenRequest),
  query('/api/auth/signin/passkey/options', schemas.passkeyOptionsQuery),
  auth('POST', 'signin/passkey', schemas.passkeySignInRequest),
  auth('POST', 'signin/second-step/options', schemas.ticketRequest),
  auth('POST', 'signin/second-step', schemas.secondStepRequest),
  auth('POST', 'factors/totp/begin', schemas.provenSetUp),
  auth('POST', 'factors/totp', schemas.totpConfirmation),
  auth('POST', 'factors/passkeys/begin', schemas.provenSetUp),
  auth('POST', 'factors/passkeys', schemas.passkeyRegistration),
  auth('POST', 'factors/recovery-codes', schemas.provenRequest),
  auth('PATCH', 'factors/none', schemas.factorRename),
  auth('DELETE', 'factors/none', schemas.provenRequest),
  query('/api/desk/journal/posts', desk.listQuery),
  post('/api/desk/journal/posts', desk.createBody),
  post('/api/desk/journal/posts/delete', desk.idsBody),
  post('/api/desk/journal/posts/unpublish', desk.idsBody),
  query('/api/desk/journal/accounts', desk.accountsQuery),
  post('/api/desk/journal/pictures/describe', desk.describeBody),
  put('/api/desk/journal/posts/{post}', postDocument),
  post('/api/desk/journal/posts/{post}/publish', desk.publishBody),
  post('/api/desk/journal/posts/{post}/preview', desk.previewBody),
  post('/api/desk/journal/posts/{post}/revisions', desk.keepBody),
  query('/api/desk/journal/posts/{post}/revisions', desk.revisionsQuery),
  post('/api/desk/journal/posts/{post}/translations/translate', translateBody),
  put('/api/desk/journal/posts/{post}/translations/de/segments/{segment}', translations.textBody),
  post('/api/desk/journal/posts/{post}/translations/de/segments/{segment}/restore', translations.versionBody),
  post(
    '/api/desk/journal/posts/{post}/translations/de/segments/{segment}/comments',
    translations.commentBody,
  ),
  ...[
    post(
      '/api/desk/journal/posts/{post}/translations/de/segments/{segment}/overrule',
      translations.reasonBody,
    ),
    post('/api/desk/journal/posts/{post}/translations/de/accept-all', translations.segmentsBody),
    put('/api/desk/journal/posts/{post}/translations/de/rule', translations.ruleBody),
    post('/api/desk/journal/translations/terms', termBody),
  ].map((route) => ({ ...route, asEditor: true })),
  query('/api/desk/journal/translations/queue', translations.queueQuery),
  post('/api/desk/journal/translations/reports', reportBody),
  post('/api/desk/journal/comments/none/translation', commentTranslationBody),
  { ...post('/api/db/journal/sql', sqlBody), asService: true },
  { ...post('/api/db/journal/batch', batchBody), asService: true },
  query('/api/storage/journal/download', schemas.downloadQuery),
  query('/api/storage/journal/original', schemas.originalQuery),
  query('/storage/journal/posts/none.png', schemas.variantQuery),
  { ...post('/api/storage/journal/remove', schemas.removeRequest), method: 'DELETE' },
  post('/api/ai/journal/text', schemas.textRequest),
  post('/api/ai/journal/object', schemas.objectRequest),
  post('/api/ai/journal/image', schemas.imageRequest),
  post('/api/ai/journal/speech', schemas.speechRequest),
  post('/api/ai/journal/transcribe', schemas.transcribeRequest),
  post('/api/data/journal/extract-from-url', schemas.extractRequest),
  post('/api/data/journal/scrape', schemas.scrapeRequest),
  post('/api/data/journal/screenshot', schemas.screenshotRequest),
  post('/api/data/journal/fetch', schemas.fetchRequest),
  post('/api/data/journal/search', schemas.searchRequest),
  post('/api/realtime/journal/publish', schemas.publishRequest),
  query('/api/realtime/journal/presence', schemas.presenceQuery),
  query('/api/realtime/journal/messages', schemas.messagesQuery),
  { ...post('/api/notifications/journal/email', schemas.emailRequest), asService: true },
  { ...post('/api/notifications/journal/settings', schemas.notificationSettings), method: 'PATCH' },
  post('/api/notifications/journal/stop', schemas.stopNoticesRequest),
  post('/api/analytics/journal/log', schemas.logRequest),
  query('/api/analytics/journal/insights', schemas.insightsQuery),
];

/** Schemas of the contract that are no request of their own, with the reason. */
const PARTS: Readonly<Record<string, string>> = {
  emailAddress: 'a field',
  freshProof: 'a field of several calls',
  extractFields: 'a form with a file, which the hostile files are',
  uploadOptions: 'a form with a file, which the hostile files are',
  shapeQuery: 'the query of an image in a shape, beside variantQuery on one path',
  clientMessage: 'a message of a websocket, which the class of these has',
};

/** Returns the names of the contract's schemas that no route here has, so that new calls are not forgotten. */
export function forgottenSchemas(): string[] {
  const known = new Set(ROUTES.map(({ schema }) => schema));
  return Object.entries(schemas)
    .filter(([name, value]) => value instanceof z.ZodType && !known.has(value) && !(name in PARTS))
    .map(([name]) => name);
}
