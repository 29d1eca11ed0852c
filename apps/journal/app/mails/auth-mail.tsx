import { Button } from '@react-email/button';
import { Link } from '@react-email/link';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import type { CSSProperties } from 'react';
import type { MailContent } from './mail-content.ts';
import { COMMON, LIGHT, MailLayout, Rule } from './mail-layout.tsx';

const styles = {
  url: { ...COMMON.small, margin: '0 0 8px', wordBreak: 'break-all' },
  urlLink: { color: LIGHT.accent, textDecoration: 'underline' },
} satisfies Record<string, CSSProperties>;

/** Renders a mail with a link, as a button and as text, and with a code to type. */
export function AuthMailTemplate(content: MailContent) {
  const { lead, button, link, linkLead, linkValid, code, codeLead, codeValid, notes } = content;
  return (
    <MailLayout {...content} preview={lead}>
      <Text className="ink" style={COMMON.lead}>
        {lead}
      </Text>
      <Section style={{ margin: '0 0 28px' }}>
        <Button href={link} className="button" style={COMMON.button}>
          {button}
        </Button>
      </Section>
      <Text className="muted" style={COMMON.small}>
        {linkLead}
      </Text>
      <Text className="muted" style={styles.url}>
        <Link href={link} className="accent" style={styles.urlLink}>
          {link}
        </Link>
      </Text>
      <Text className="muted" style={COMMON.small}>
        {linkValid}
      </Text>
      <Rule above={28} below={28} />
      <Text className="muted" style={COMMON.small}>
        {codeLead}
      </Text>
      <Text className="ink" style={COMMON.code}>
        {code}
      </Text>
      <Text className="muted" style={COMMON.small}>
        {codeValid}
      </Text>
      <Rule above={28} below={28} />
      {notes.map((note) => (
        <Text key={note} className="muted" style={COMMON.small}>
          {note}
        </Text>
      ))}
    </MailLayout>
  );
}
