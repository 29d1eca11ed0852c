import { Text } from '@react-email/text';
import type { AccountContent } from './mail-content.ts';
import { COMMON, MailLayout, Rule } from './mail-layout.tsx';

/** Renders a mail about the recipient's account. Its only link leads to the site's first page. */
export function AccountMailTemplate(content: AccountContent) {
  const { lead, code, notes } = content;
  return (
    <MailLayout {...content} preview={lead}>
      <Text className="ink" style={COMMON.lead}>
        {lead}
      </Text>
      {code && (
        <Text className="ink" style={COMMON.code}>
          {code}
        </Text>
      )}
      <Rule above={28} below={28} />
      {notes.map((note) => (
        <Text key={note} className="muted" style={COMMON.small}>
          {note}
        </Text>
      ))}
    </MailLayout>
  );
}
