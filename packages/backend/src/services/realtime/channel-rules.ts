import { can } from '@fabrica/contract';
import { type Caller, callerRole } from '../../core/caller.ts';
import { AppError, notSignedIn } from '../../core/errors.ts';
import type { ChannelAccess, ChannelRule, ProjectDefinition } from '../../core/project.ts';

/** The rule of channels that match no pattern. */
const DEFAULT_RULE: Required<ChannelRule> = { join: 'signedIn', publish: 'signedIn', presence: 'signedIn' };

/** Returns a function that finds the rule of a channel: the first whose pattern matches. */
export function createChannelRules({ channels = {} }: Pick<ProjectDefinition, 'channels'>) {
  const rules = Object.entries(channels).map(([pattern, rule]) => ({ matches: toRegExp(pattern), rule }));
  return (channel: string): Required<ChannelRule> => {
    const rule = rules.find(({ matches }) => matches.test(channel))?.rule;
    return rule ? { presence: rule.publish, ...rule } : DEFAULT_RULE;
  };
}

export type FindChannelRule = ReturnType<typeof createChannelRules>;

/** `{name}` matches one or more characters except colons; `*` matches one or more characters of any kind. */
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

/** Throws UNAUTHENTICATED if the caller could get access by signing in, or else FORBIDDEN. */
export function authorizeChannel(
  caller: Caller,
  access: ChannelAccess,
  project: Pick<ProjectDefinition, 'roles'>,
): void {
  if (mayAct(caller, access, project)) return;
  if (caller.kind === 'anonymous' && access !== 'server') {
    throw notSignedIn();
  }
  throw new AppError('FORBIDDEN', 'You may not do this in this channel.');
}
