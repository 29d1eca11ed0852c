import { Body } from '@react-email/body';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Heading } from '@react-email/heading';
import { Hr } from '@react-email/hr';
import { Html } from '@react-email/html';
import { Link } from '@react-email/link';
import { Preview } from '@react-email/preview';
import { Text } from '@react-email/text';
import type { CSSProperties, ReactNode } from 'react';

/** Mail programs do not load web fonts, so these are similar fonts that readers have. */
export const SERIF = 'Georgia, "Times New Roman", Times, serif';
const SANS = '-apple-system, "Segoe UI", Helvetica, Arial, sans-serif';

/**
 * The journal's colours (`styles.css`) as plain values, because mail programs do not support CSS variables. Styles are
 * inline, because many programs drop style sheets. The dark styles are for programs that keep them.
 */
export const LIGHT = {
  paper: '#fbf8f3',
  ink: '#1e1b18',
  muted: '#6b645c',
  hairline: '#e4ddd2',
  accent: '#8c2f2b',
  onAccent: '#fffaf5',
};
const DARK_STYLES = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .paper, .paper td { background-color: #14110f !important; }
    .ink { color: #efe9e1 !important; }
    .muted { color: #a79f95 !important; }
    .hairline { border-color: #2c2724 !important; }
    .accent { color: #e58a80 !important; }
    .button { background-color: #e58a80 !important; color: #1c100e !important; }
  }
`;

/** The styles of paragraphs, codes and buttons in every mail. */
export const COMMON = {
  lead: {
    margin: '0 0 28px',
    color: LIGHT.ink,
    fontFamily: SERIF,
    fontSize: '18px',
    lineHeight: '28px',
  },
  small: { margin: '0 0 8px', color: LIGHT.muted, fontFamily: SANS, fontSize: '14px', lineHeight: '21px' },
  code: {
    margin: '4px 0 8px',
    color: LIGHT.ink,
    fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "Courier New", monospace',
    fontSize: '36px',
    lineHeight: '44px',
    letterSpacing: '0.18em',
  },
  button: {
    backgroundColor: LIGHT.accent,
    borderRadius: '2px',
    color: LIGHT.onAccent,
    fontFamily: SANS,
    fontSize: '16px',
    fontWeight: 500,
    padding: '14px 24px',
  },
} satisfies Record<string, CSSProperties>;

const styles = {
  paper: { backgroundColor: LIGHT.paper, margin: 0, padding: '40px 20px' },
  // A long URL must not make the mail wider than the screen. Each property is supported by some programs only.
  container: { maxWidth: '520px', overflowWrap: 'anywhere', wordBreak: 'break-word' },
  siteName: {
    margin: 0,
    color: LIGHT.ink,
    fontFamily: SERIF,
    fontSize: '24px',
    lineHeight: '28px',
    letterSpacing: '-0.01em',
  },
  small: { margin: 0, color: LIGHT.muted, fontFamily: SANS, fontSize: '13px', lineHeight: '20px' },
  smallLink: { color: LIGHT.muted, textDecoration: 'underline' },
  title: {
    margin: '0 0 16px',
    color: LIGHT.ink,
    fontFamily: SERIF,
    fontSize: '32px',
    fontWeight: 'normal',
    lineHeight: '38px',
    letterSpacing: '-0.02em',
  },
} satisfies Record<string, CSSProperties>;

/** Draws a thin line. Its margins are in pixels. */
export function Rule({ above, below }: { above: number; below: number }) {
  const style = { borderTop: `1px solid ${LIGHT.hairline}`, margin: `${above}px 0 ${below}px` };
  return <Hr className="hairline" style={style} />;
}

interface MailLayoutProps {
  language: string;
  siteName: string;
  tagline: string;
  siteUrl: string;
  title: string;
  /** The text that mail programs show beside the subject. */
  preview: string;
  children: ReactNode;
}

/** Renders the header and footer that every mail has. */
export function MailLayout({
  language,
  siteName,
  tagline,
  siteUrl,
  title,
  preview,
  children,
}: MailLayoutProps) {
  return (
    <Html lang={language}>
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style>{DARK_STYLES}</style>
      </Head>
      <Body className="paper" style={styles.paper}>
        <Preview>{preview}</Preview>
        <Container style={styles.container}>
          <Text className="ink" style={styles.siteName}>
            {siteName}
          </Text>
          <Text className="muted" style={styles.small}>
            {tagline}
          </Text>
          <Rule above={20} below={36} />
          <Heading as="h1" className="ink" style={styles.title}>
            {title}
          </Heading>
          {children}
          <Rule above={36} below={20} />
          <Text className="muted" style={styles.small}>
            <Link href={siteUrl} className="muted" style={styles.smallLink}>
              {new URL(siteUrl).host}
            </Link>
          </Text>
        </Container>
      </Body>
    </Html>
  );
}
