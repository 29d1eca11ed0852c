export type { EmailClaim, SignUpDetails } from '@fabrica/contract';
export type { AiClient, ObjectOptions, TextOptions } from './ai/ai-client.ts';
export type {
  AiMedia,
  ImageOptions,
  ModifyImageOptions,
  SpeechOptions,
  TranscribeOptions,
} from './ai/ai-media.ts';
export type { AnalyticsClient } from './analytics/analytics-client.ts';
export type { EventData } from './analytics/analytics-types.ts';
export type { InsightsQuery, ReadInsights } from './analytics/insights.ts';
export type { AccountClient, ProfileChanges } from './auth/account-client.ts';
export type { AuthClient } from './auth/auth-client.ts';
export {
  endsPassword,
  type MailOptions,
  type MailProof,
} from './auth/auth-client-options.ts';
export { type AuthState, loadingState, type StoredTokens } from './auth/auth-state.ts';
export type { CredentialsClient } from './auth/credentials-client.ts';
export type { FactorAuthority, FactorClient } from './auth/factor-client.ts';
export { readSecondStep } from './auth/second-step.ts';
export type { SignInClient } from './auth/sign-in-client.ts';
export type { SignInPageClient, SignInPageOptions } from './auth/sign-in-page-client.ts';
export type { StorageLike, WindowLike } from './browser/window.ts';
export {
  type ClientOptions,
  createClient,
  type DatabaseClient,
  type FabricaClient,
  type ProjectRequest,
} from './client.ts';
export type {
  DataClient,
  Extract,
  ExtractOptions,
  OutgoingRequest,
  ScrapeOptions,
  ScreenshotOptions,
  WebSearchOptions,
} from './data-client.ts';
export type { QueryOptions } from './database/build-query.ts';
export type {
  TableClient,
  TableOptions,
  TablePage,
  TablePageOptions,
  UpsertOptions,
} from './database/table-client.ts';
export type { ColumnFilter, Where } from './database/where.ts';
export {
  AiError,
  AuthError,
  DataError,
  FabricaError,
  NetworkError,
  StorageError,
  ValidationError,
} from './http/errors.ts';
export type { NotificationsClient } from './notifications-client.ts';
export type { RealtimeClient } from './realtime/realtime-client.ts';
export type {
  ChannelState,
  MessagesOptions,
  RealtimeOverrides,
  RealtimeState,
  SubscribeOptions,
  SubscriptionListener,
} from './realtime/realtime-types.ts';
export type { DownloadResponse, StorageClient, UploadOptions } from './storage-client.ts';
