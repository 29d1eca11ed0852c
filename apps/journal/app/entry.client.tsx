import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { DEFAULT_LANGUAGE, isLanguage } from '../project/languages.ts';
import { ClientProvider } from './client/client-context.tsx';
import { pageClient } from './client/page-client.ts';
import { removeSignedOutDrafts } from './client/signed-out.ts';
import { takeSession } from './client/take-session.ts';
import { loadMessages } from './language/load-messages.ts';
import { useAddressOfPage } from './layout/page-address.ts';

const { lang, dataset } = document.documentElement;
const client = pageClient();

await Promise.all([
  loadMessages(isLanguage(lang) ? lang : DEFAULT_LANGUAGE),
  dataset.session !== undefined && takeSession(client),
  removeSignedOutDrafts(),
]);

function Page() {
  useAddressOfPage();
  return <HydratedRouter />;
}

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <ClientProvider client={client}>
        <Page />
      </ClientProvider>
    </StrictMode>,
  );
});
