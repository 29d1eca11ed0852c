import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import type { MarkType, NodeType } from 'prosemirror-model';
import type { Plugin } from 'prosemirror-state';
import { isCallout } from '../../../project/markdown/directives.ts';
import { schema } from '../document/schema.ts';

const { nodes, marks } = schema;

/** Returns what is made of Markdown while it is typed. Backspace takes it back. */
export function typedMarkdown(): Plugin {
  return inputRules({
    rules: [
      textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading as NodeType, ([, signs = '']) => ({
        level: Math.max(2, signs.length),
      })),
      textblockTypeInputRule(/^```$/, nodes.code_block as NodeType),
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote as NodeType),
      wrappingInputRule(/^\s*[-+*]\s$/, nodes.bullet_list as NodeType),
      wrappingInputRule(
        /^(\d{1,9})[.)]\s$/,
        nodes.ordered_list as NodeType,
        ([, number]) => ({ start: Number(number) }),
        ([, number], list) => list.childCount + list.attrs.start === Number(number),
      ),
      calloutRule(),
      ruleOfDashes(),
      markRule(/(?:^|[^*\w])(\*\*([^\s*](?:[^*]*[^\s*])?)\*\*)$/, marks.strong as MarkType),
      markRule(/(?:^|[^_\w])(__([^\s_](?:[^_]*[^\s_])?)__)$/, marks.strong as MarkType),
      markRule(/(?:^|[^*\w])(\*([^\s*](?:[^*]*[^\s*])?)\*)$/, marks.em as MarkType),
      markRule(/(?:^|[^_\w])(_([^\s_](?:[^_]*[^\s_])?)_)$/, marks.em as MarkType),
      markRule(/(?:^|[^`])(`([^`]+)`)$/, marks.code as MarkType),
      linkRule(),
    ],
  });
}

/** `:::warning` and a space make a call-out. */
function calloutRule(): InputRule {
  return new InputRule(/^:::\s?([a-z-]+)\s$/, (state, [, name = ''], start, end) => {
    if (!isCallout(name)) return null;
    const tr = state.tr.delete(start, end);
    const range = tr.doc.resolve(start).blockRange();
    return range && tr.wrap(range, [{ type: nodes.callout as NodeType, attrs: { name } }]);
  });
}

/** `---` in a line of its own. */
function ruleOfDashes(): InputRule {
  return new InputRule(/^---$/, (state, _, start, end) => {
    const $start = state.doc.resolve(start);
    if ($start.parent.type !== nodes.paragraph || $start.depth !== 1) return null;
    return state.tr.delete(start, end).insert($start.before(), schema.node('horizontal_rule'));
  });
}

/** Sets a mark on the words between signs; the first group is both, the second the words. */
function markRule(pattern: RegExp, mark: MarkType): InputRule {
  return new InputRule(
    pattern,
    (state, [match, marked = '', words = ''], start, end) => {
      const from = start + match.length - marked.length;
      // The last sign is not in the document yet.
      const opening = marked.indexOf(words);
      const { tr } = state;
      if (!state.doc.resolve(from).parent.type.allowsMarkType(mark)) return null;
      tr.delete(from + opening + words.length, end).delete(from, from + opening);
      tr.addMark(from, from + words.length, mark.create());
      return tr.removeStoredMark(mark);
    },
    { inCodeMark: false },
  );
}

/** `[words](https://…)` */
function linkRule(): InputRule {
  return new InputRule(
    /\[([^[\]]+)\]\(((?:https?:\/\/|mailto:|\/(?!\/)|#)[^\s()]*)\)$/,
    (state, [, words = '', href = ''], start, end) => {
      const link = marks.link?.create({ href });
      const $start = state.doc.resolve(start);
      if (!link || !$start.parent.type.allowsMarkType(link.type)) return null;
      return state.tr.replaceWith(start, end, schema.text(words, link.addToSet($start.marks())));
    },
    { inCodeMark: false },
  );
}
