import { data } from 'react-router';
import { buildUnlisted } from '../layout/metadata.ts';
import type { Route } from './+types/route.ts';
import { MissingScreen } from './missing-screen.tsx';

export function loader() {
  return data(null, { status: 404 });
}

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/', ({ notFound }) => ({
    title: notFound.title,
    metaDescription: notFound.text,
  }));
}

export default function NotFoundRoute() {
  return <MissingScreen />;
}
