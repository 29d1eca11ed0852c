import { Button } from '@react-email/button';
import { Link } from '@react-email/link';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import type { CSSProperties } from 'react';
import type { CommentsContent } from './mail-content.ts';
import { COMMON, LIGHT, MailLayout, Rule, SERIF } from './mail-layout.tsx';

const styles = {
  lead: { ...COMMON.lead, margin: '0 0 24px' },
  name: { ...COMMON.small, margin: '0 0 2px' },
  comment: {
    margin: '0 0 20px',
    color: LIGHT.ink,
    fontFamily: SERIF,
    fontSize: '17px',
    lineHeight: '26px',
    whiteSpace: 'pre-line',
  },
  stop: { color: LIGHT.muted, textDecoration: 'underline' },
} satisfies Record<string, CSSProperties>;

/** Renders a mail with new comments on a post, and with a link to unsubscribe. */
export function CommentsMailTemplate(content: CommentsContent) {
  const { lead, comments, more, button, link, why, stop, stopLink } = content;
  return (
    <MailLayout {...content} preview={lead}>
      <Text className="ink" style={styles.lead}>
        {lead}
      </Text>
      {comments.map(({ id, name, text }) => (
        <Section key={id}>
          <Text className="muted" style={styles.name}>
            {name}
          </Text>
          <Text className="ink" style={styles.comment}>
            {text}
          </Text>
        </Section>
      ))}
      {more && (
        <Text className="muted" style={COMMON.small}>
          {more}
        </Text>
      )}
      <Section style={{ margin: '12px 0 0' }}>
        <Button href={link} className="button" style={COMMON.button}>
          {button}
        </Button>
      </Section>
      <Rule above={36} below={20} />
      <Text className="muted" style={COMMON.small}>
        {why}
      </Text>
      <Text className="muted" style={COMMON.small}>
        <Link href={stopLink} className="muted" style={styles.stop}>
          {stop}
        </Link>
      </Text>
    </MailLayout>
  );
}
