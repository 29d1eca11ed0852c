import serif from '@fontsource/newsreader/files/newsreader-latin-400-normal.woff2?url';
import sans from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url';
import { type CSSProperties, type ReactNode, use } from 'react';
import { preload } from 'react-dom';
import {
  isRouteErrorResponse,
  Links,
  type LinksFunction,
  Meta,
  Scripts,
  ScrollRestoration,
  useRouteLoaderData,
} from 'react-router';
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '../project/languages.ts';
import type { Route } from './+types/root.ts';
import { backendContext } from './backend-context.ts';
import { feedPath } from './discovery/feed/feed-path.ts';
import { LanguageProvider, useLanguage } from './language/language-provider.tsx';
import { loadMessages } from './language/load-messages.ts';
import { FailedScreen } from './layout/failed-screen.tsx';
import { HeadScript, ScriptNonce } from './layout/head-script.tsx';
import { PageFrame } from './layout/page-frame.tsx';
import { PageOutlet } from './layout/page-outlet.tsx';
import { MissingScreen } from './not-found/missing-screen.tsx';
import { DEFAULT_SITE, type Site, useSite } from './site/site.ts';
import { siteIcon } from './site/site-images.ts';
import styles from './styles.css?url';

export const links: LinksFunction = () => [
  { rel: 'stylesheet', href: styles },
  { rel: 'manifest', href: '/manifest.webmanifest' },
];

export async function loader({ context }: Route.LoaderArgs) {
  const { client, language, publicUrl, storageOrigin, projectId, parentOrigins, ...backend } =
    context.get(backendContext);
  const isSignedIn = client.auth.getState().status === 'authenticated';
  const site = await backend.readSite();
  const { sendsMail, hasModel } = backend;
  return {
    language,
    publicUrl,
    storageOrigin,
    projectId,
    parentOrigins,
    sendsMail,
    hasModel,
    isSignedIn,
    site,
  };
}

/** Loads the messages of the page's language before it is shown, as the browser has only those of the first page. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const page = await serverLoader();
  await loadMessages(page.language);
  return page;
}

export { shouldRevalidate } from './layout/should-revalidate.ts';

export function Layout({ children }: { children: ReactNode }) {
  const page = useRouteLoaderData<typeof loader>('root');
  const language = page?.language ?? shownLanguage();
  const site = page?.site ?? DEFAULT_SITE;
  const nonce = use(ScriptNonce);
  // The style sheet itself is behind the script of the head, which would wait for it, and so behind fonts and scripts.
  preload(styles, { as: 'style' });
  return (
    // The script in the head sets the theme on this element before React sees it.
    <html
      lang={language}
      data-project={page?.projectId}
      style={accentStyle(site)}
      data-parent-origins={page?.parentOrigins.join(' ') || undefined}
      data-session={page?.isSignedIn || undefined}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <HeadScript />
        <SiteTags language={language} site={site} />
        <Meta />
        <FontPreloads />
        <Links nonce={nonce} />
      </head>
      <body>
        <LanguageProvider language={language}>
          <PageFrame>{children}</PageFrame>
        </LanguageProvider>
        <ScrollRestoration />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

function SiteTags({ language, site }: { language: Language; site: Site }) {
  return (
    <>
      <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbf8f3" />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#14110f" />
      <link rel="icon" href={siteIcon(site, 'icon-32')} />
      <link rel="apple-touch-icon" href={siteIcon(site, 'icon-180')} />
      <link rel="alternate" type="application/atom+xml" title={site.name} href={feedPath(language)} />
    </>
  );
}

/** Has the fonts loaded at once, which the desk of a post does not: it shows them once its editor is there. */
function FontPreloads() {
  return [serif, sans].map((href) => (
    <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
  ));
}

/** Returns the operator's accents as the variables that `styles.css` reads. */
function accentStyle({ accentLight, accentDark }: Site): CSSProperties | undefined {
  const variables = {
    ...(accentLight && { '--accent-light': accentLight }),
    ...(accentDark && { '--accent-dark': accentDark }),
  };
  return Object.keys(variables).length > 0 ? (variables as CSSProperties) : undefined;
}

/** Returns the language of the current document, for when the data of the next page could not be loaded. */
function shownLanguage(): Language {
  const lang = typeof document === 'undefined' ? undefined : document.documentElement.lang;
  return isLanguage(lang) ? lang : DEFAULT_LANGUAGE;
}

export default function RootRoute() {
  return <PageOutlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return isRouteErrorResponse(error) && error.status === 404 ? <MissingPage /> : <FailedScreen />;
}

/** Shows that the loader of a page has found nothing. Such a page has no metadata of its own. */
function MissingPage() {
  const { m } = useLanguage();
  const { name } = useSite();
  return (
    <>
      <title>{`${m.notFound.title} · ${name}`}</title>
      <meta name="robots" content="noindex" />
      <MissingScreen />
    </>
  );
}
