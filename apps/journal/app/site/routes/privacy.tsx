import { LegalText, legalMetadata, loadLegalText } from '../legal-text.tsx';
import type { Route } from './+types/privacy.ts';

export function loader({ context }: Route.LoaderArgs) {
  return loadLegalText('privacy', context);
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return legalMetadata('privacy', { page: matches[0].loaderData, text: loaderData });
}

export default function Privacy({ loaderData }: Route.ComponentProps) {
  return <LegalText page="privacy" text={loaderData} />;
}
