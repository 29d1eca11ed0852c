export type { Ai, ObjectOptions, TextOptions } from './ai/ai-client.ts';
export type {
  AiMedia,
  ImageOptions,
  ModifyImageOptions,
  SpeechOptions,
  TranscribeOptions,
} from './ai/ai-media.ts';
export type { Analytics, EventData } from './analytics/analytics-client.ts';
export type { InsightsQuery, ReadInsights } from './analytics/insights.ts';
export type { Account, ProfileChanges } from './auth/account.ts';
export type { Auth } from './auth/auth-client.ts';
export type { MailOptions, MailProof } from './auth/auth-client-options.ts';
export { type AuthState, loadingState, type StoredTokens } from './auth/auth-state.ts';
export type { Credentials } from './auth/credentials.ts';
export type { NewAccount, SignIn } from './auth/sign-in.ts';
export type { SignInPage, SignInPageOptions } from './auth/sign-in-page.ts';
export type { StorageLike, WindowLike } from './browser/window.ts';
export { type ClientOptions, createClient, type Database, type FabricaClient } from './client.ts';
export type {
  Data,
  Extract,
  ExtractOptions,
  OutgoingRequest,
  ScrapeOptions,
  ScreenshotOptions,
  SearchOptions,
} from './data-client.ts';
export type { QueryOptions } from './database/build-query.ts';
export type { Page, PageOptions, Table, TableOptions, UpsertOptions } from './database/table-client.ts';
export type { Comparison, Where } from './database/where.ts';
export {
  AiError,
  AuthError,
  DataError,
  FabricaError,
  NetworkError,
  StorageError,
  ValidationError,
} from './http/errors.ts';
export type { Notifications } from './notifications-client.ts';
export type {
  ChannelListener,
  ChannelState,
  MessagesOptions,
  Realtime,
  RealtimeSettings,
  RealtimeState,
  SubscribeOptions,
} from './realtime/realtime-client.ts';
export type { DownloadAnswer, Storage, UploadOptions } from './storage-client.ts';
