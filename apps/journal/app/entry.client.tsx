import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { ClientProvider } from './client/client-context.tsx';
import { pageClient } from './client/page-client.ts';
import { removeSignedOutDrafts } from './client/signed-out.ts';
import { takeSession } from './client/take-session.ts';
import { DEFAULT_LANGUAGE, isLanguage } from './language/languages.ts';
import { loadMessages } from './language/load-messages.ts';

const { lang, dataset } = document.documentElement;
const client = pageClient();

await Promise.all([
  loadMessages(isLanguage(lang) ? lang : DEFAULT_LANGUAGE),
  dataset.session !== undefined && takeSession(client),
  removeSignedOutDrafts(),
]);

// A page that the browser has kept may be read more slowly than the scripts, which it has kept as well.
if (document.readyState === 'loading')
  await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <ClientProvider client={client}>
        <HydratedRouter />
      </ClientProvider>
    </StrictMode>,
  );
});
