import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('home/route.tsx'),
  route('gallery', 'gallery/route.tsx'),
  route('about-me', 'about/route.tsx'),
  route('contact', 'contact/route.tsx'),
  route('imprint', 'site/routes/imprint.tsx'),
  route('privacy', 'site/routes/privacy.tsx'),
  route('post/:id', 'post/route.tsx'),
  route('admin', 'publish/route.tsx'),
  route('admin/insights', 'insights/route.tsx'),
  route('admin/site', 'site-editor/route.tsx'),
  route('auth', 'sign-in/routes/sign-in.tsx'),
  route('auth/magic', 'sign-in/routes/magic.tsx'),
  route('auth/forgot', 'sign-in/routes/forgot.tsx'),
  route('auth/reset', 'sign-in/routes/reset.tsx'),
  route('auth/verify', 'sign-in/routes/verify.tsx'),
  route('auth/notices', 'notices/route.tsx'),
  route('auth/session', 'sign-in/routes/session.ts'),
  route('auth/complete', 'sign-in/routes/complete.tsx'),
  route('account', 'account/route.tsx'),
  route('*', 'not-found/route.tsx'),
] satisfies RouteConfig;
