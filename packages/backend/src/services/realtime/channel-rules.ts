import { can } from '@fabrica/contract';
import { type Caller, callerRole } from '../../core/caller.ts';
import { AppError } from '../../core/errors.ts';
import type { ChannelAccess, ChannelRule, ProjectDefinition } from '../../core/project.ts';

export type ChannelAct = 'join' | 'publish' | 'presence';

/** Of a channel that no pattern names. */
const UNNAMED: Required<ChannelRule> = { join: 'signedIn', publish: 'signedIn', presence: 'signedIn' };

/** Finds the rule of a channel: the first whose pattern is met. */
export function createChannelRules({ channels = {} }: Pick<ProjectDefinition, 'channels'>) {
  const rules = Object.entries(channels).map(([pattern, rule]) => ({ matches: toRegExp(pattern), rule }));
  return (channel: string): Required<ChannelRule> => {
    const rule = rules.find(({ matches }) => matches.test(channel))?.rule;
    return rule ? { presence: rule.publish, ...rule } : UNNAMED;
  };
}

export type RuleOfChannel = ReturnType<typeof createChannelRules>;

/** `{name}` is anything without a colon, `*` anything at all; none of them is nothing. */
function toRegExp(pattern: string): RegExp {
  const source = pattern
    .split(/(\{[^{}]*\}|\*)/)
    .map((part, index) => {
      if (index % 2 === 0) return part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
      return part === '*' ? '.+' : '[^:]+';
    })
    .join('');
  return new RegExp(`^${source}$`, 'su');
}

export function mayAct(
  caller: Caller,
  access: ChannelAccess,
  { roles }: Pick<ProjectDefinition, 'roles'>,
): boolean {
  if (caller.kind === 'service' || access === 'anyone') return true;
  if (caller.kind === 'anonymous' || access === 'server') return false;
  return access === 'signedIn' || can(roles, callerRole(caller), access.permission);
}

/** Throws UNAUTHENTICATED where a sign-in would help, else FORBIDDEN. */
export function authorizeChannel(
  caller: Caller,
  access: ChannelAccess,
  project: Pick<ProjectDefinition, 'roles'>,
): void {
  if (mayAct(caller, access, project)) return;
  if (caller.kind === 'anonymous' && access !== 'server') {
    throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  }
  throw new AppError('FORBIDDEN', 'You may not do this in this channel.');
}
