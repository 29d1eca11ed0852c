import type { FabricaClient } from '@fabrica/client';
import { createContext, type RouterContext } from 'react-router';
import type { Language } from './language/languages.ts';

/** What the server hands to every loader. */
export interface PageBackend {
  /** The anonymous reader's client; its calls stay within the process. */
  client: FabricaClient;
  /** The language that the page is rendered in. */
  language: Language;
  /** The journal's own address, without a trailing slash. */
  publicUrl: string;
  /** What addresses of files begin with; empty where they are of the page's own origin. */
  storageOrigin: string;
  projectId: string;
  /** May tokens be handed to this address's origin? */
  isAllowedOrigin(address: string): boolean;
  /** Who vouches for readers, by name. */
  providers: readonly { id: string; label: string }[];
  /** Logs what went wrong while a page was made. */
  reportFailure(error: unknown): void;
}

/** The built pages and the server that hands them this each hold a copy of this module; the context must be one. */
const shared: { [key: symbol]: RouterContext<PageBackend> | undefined } = globalThis;
const key = Symbol.for('fabrica.backendContext');
shared[key] ??= createContext<PageBackend>();

export const backendContext: RouterContext<PageBackend> = shared[key];
