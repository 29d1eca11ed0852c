import { data } from 'react-router';
import { messagesOf } from '../language/load-messages.ts';
import { buildMetadata } from '../layout/metadata.ts';
import type { Route } from './+types/route.ts';
import { MissingScreen } from './missing-screen.tsx';

export function loader() {
  return data(null, { status: 404 });
}

export function meta({ matches, location }: Route.MetaArgs) {
  const { language, publicUrl, site } = matches[0].loaderData;
  const { title, text } = messagesOf(language).notFound;
  return buildMetadata({
    title,
    description: text,
    path: location.pathname,
    language,
    publicUrl,
    site,
    indexed: false,
  });
}

export default function NotFoundRoute() {
  return <MissingScreen />;
}
