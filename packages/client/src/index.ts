export type { Ai, ObjectOptions, TextOptions } from './ai.ts';
export type {
  AiMedia,
  ImageOptions,
  ModifyImageOptions,
  SpeechOptions,
  TranscribeOptions,
} from './ai-media.ts';
export type { Analytics, EventData } from './analytics/analytics.ts';
export type { Account, ProfileChanges } from './auth/account.ts';
export type { Auth } from './auth/auth.ts';
export type { MailOptions, MailProof } from './auth/auth-options.ts';
export { type AuthState, loadingState, type StoredTokens } from './auth/auth-state.ts';
export type { Credentials } from './auth/credentials.ts';
export type { NewAccount, SignIn } from './auth/sign-in.ts';
export type { SignInPage, SignInPageOptions } from './auth/sign-in-page.ts';
export { type ClientOptions, createClient, type Database, type FabricaClient } from './client.ts';
export type {
  Data,
  Extract,
  ExtractOptions,
  OutgoingRequest,
  ScrapeOptions,
  ScreenshotOptions,
  SearchOptions,
} from './data.ts';
export type { QueryOptions } from './database/build-query.ts';
export type { Page, PageOptions, Table, TableOptions, UpsertOptions } from './database/table.ts';
export type { Comparison, Where } from './database/where.ts';
export {
  AiError,
  AuthError,
  DataError,
  FabricaError,
  NetworkError,
  StorageError,
  ValidationError,
} from './errors.ts';
export type { InsightsQuery, ReadInsights } from './insights.ts';
export type { Notifications } from './notifications.ts';
export type {
  ChannelListener,
  ChannelState,
  MessagesOptions,
  Realtime,
  RealtimeSettings,
  RealtimeState,
  SubscribeOptions,
} from './realtime/realtime.ts';
export type { DownloadAnswer, Storage, UploadOptions } from './storage.ts';
export type { StorageLike, WindowLike } from './window.ts';
