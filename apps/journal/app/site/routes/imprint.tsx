import { LegalText, legalMetadata, loadLegalText } from '../legal-text.tsx';
import type { Route } from './+types/imprint.ts';

export function loader({ context }: Route.LoaderArgs) {
  return loadLegalText('imprint', context);
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return legalMetadata('imprint', { page: matches[0].loaderData, text: loaderData });
}

export default function Imprint({ loaderData }: Route.ComponentProps) {
  return <LegalText page="imprint" text={loaderData} />;
}
