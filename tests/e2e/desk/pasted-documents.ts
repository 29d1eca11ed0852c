/** Writes documents as Word, Google Docs and other programs put them on the clipboard, and as Markdown should hold them. */

import { type Block, CONTENTS, type Run } from './pasted-contents.ts';

export interface PastedDocument {
  name: string;
  html: string;
  text: string;
  markdown: string;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

interface Style {
  run(run: Exclude<Run, { note: string }>): string;
  mark(number: number): string;
  block(block: Block, inner: (runs: readonly Run[]) => string): string;
  notes(notes: readonly string[]): string;
  around(body: string): string;
}

function write(blocks: readonly Block[], style: Style): string {
  const notes: string[] = [];
  const inner = (runs: readonly Run[]) =>
    runs
      .map((run) => {
        if (typeof run === 'string' || !('note' in run)) return style.run(run);
        notes.push(run.note);
        return style.mark(notes.length);
      })
      .join('');
  const body = blocks.map((block) => style.block(block, inner)).join('\n');
  return style.around(body + (notes.length > 0 ? style.notes(notes) : ''));
}

/** Tags of the runs, by what a program writes for them. */
const runWith =
  (tags: { bold: string; italic: string; sup: string; sub: string; text?: string }) =>
  (run: Exclude<Run, { note: string }>): string => {
    const [open, close = ''] = (tags.text ?? '|').split('|');
    if (typeof run === 'string') return `${open}${escaped(run)}${close}`;
    if ('link' in run)
      return `<a href="${escaped(run.href)}" target="_blank">${open}${escaped(run.link)}${close}</a>`;
    for (const name of ['bold', 'italic', 'sup', 'sub'] as const) {
      const words = (run as Record<string, string>)[name];
      const [before, after] = tags[name].split('|');
      if (words !== undefined) return `${before}${escaped(words)}${after}`;
    }
    return '';
  };

const wordBullet = (ordered: boolean, number: number) =>
  `<![if !supportLists]><span lang=EN-US style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>${ordered ? `${number}.` : '·'}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>`;

const word: Style = {
  run: runWith({
    bold: '<b style="mso-bidi-font-weight:normal"><span lang=EN-US>|</span></b>',
    italic: '<i style="mso-bidi-font-style:normal"><span lang=EN-US>|</span></i>',
    sup: '<sup><span lang=EN-US>|</span></sup>',
    sub: '<sub><span lang=EN-US>|</span></sub>',
    text: '<span lang=EN-US style="mso-ansi-language:EN-US">|</span>',
  }),
  mark: (number) =>
    `<a style='mso-footnote-id:ftn${number}' href="#_ftn${number}" name="_ftnref${number}" title=""><span class=MsoFootnoteReference><span style='mso-special-character:footnote'><![if !supportFootnotes]><span class=MsoFootnoteReference><span style='font-size:11.0pt'>[${number}]</span></span><![endif]></span></span></a>`,
  block(block, inner) {
    if ('heading' in block) {
      return `<h${block.level} style='margin-top:12.0pt'><a name="_Toc1"></a><span lang=EN-US>${escaped(block.heading)}<o:p></o:p></span></h${block.level}>`;
    }
    if ('paragraph' in block)
      return `<p class=MsoNormal>${inner(block.paragraph)}<o:p></o:p></p>\n<p class=MsoNormal><o:p>&nbsp;</o:p></p>`;
    if ('list' in block) {
      const counts: number[] = [];
      return block.list
        .map(({ text, level, ordered }, index) => {
          counts[level] = (counts[level] ?? 0) + 1;
          const place = index === 0 ? 'First' : index === block.list.length - 1 ? 'Last' : 'Middle';
          return `<p class=MsoListParagraphCxSp${place} style='margin-left:${level * 36}.0pt;mso-add-space:auto;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'>${wordBullet(ordered, counts[level] ?? 1)}<span lang=EN-US>${escaped(text)}<o:p></o:p></span></p>`;
        })
        .join('\n');
    }
    const rows = block.table.map(
      (cells) =>
        `<tr style='mso-yfti-irow:0'>${cells.map((cell) => `<td width=302 valign=top style='width:226.55pt;border:solid windowtext 1.0pt'><p class=MsoNormal><span lang=EN-US>${escaped(cell)}<o:p></o:p></span></p></td>`).join('')}</tr>`,
    );
    return `<table class=MsoTableGrid border=1 cellspacing=0 style='border-collapse:collapse;mso-yfti-tbllook:1184'>${rows.join('')}</table>`;
  },
  notes: (notes) =>
    `<div style='mso-element:footnote-list'><![if !supportFootnotes]><br clear=all><hr align=left size=1 width="33%"><![endif]>${notes
      .map(
        (note, index) =>
          `<div style='mso-element:footnote' id=ftn${index + 1}><p class=MsoFootnoteText><a style='mso-footnote-id:ftn${index + 1}' href="#_ftnref${index + 1}" name="_ftn${index + 1}" title=""><span class=MsoFootnoteReference>[${index + 1}]</span></a><span lang=EN-US> ${escaped(note)}<o:p></o:p></span></p></div>`,
      )
      .join('')}</div>`,
  around: (body) =>
    `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"><link rel=File-List href="file:///C:/x/filelist.xml"><!--[if gte mso 9]><xml><o:OfficeDocumentSettings/></xml><![endif]--><style><!-- p.MsoNormal {margin:0cm;} --></style></head><body lang=DE style='tab-interval:36.0pt'><!--StartFragment-->${body}<!--EndFragment--></body></html>`,
};

/** Word writes its comments and its bookmarks, too. */
const wordWithComments: Style = {
  ...word,
  around: (body) =>
    word.around(
      body.replace(
        '</p>',
        `<span class=MsoCommentReference><a class=msocomanchor href="#_msocom_1">[AB1]</a></span></p>`,
      ) +
        `<div style='mso-element:comment-list'><div style='mso-element:comment'><div id="_com_1"><p class=MsoCommentText>Really?</p></div></div></div>`,
    ),
};

const wordOnTheWeb: Style = {
  ...word,
  run: runWith({
    bold: '<span data-contrast="auto" class="TextRun SCXW1" style="font-weight:bold"><span class="NormalTextRun">|</span></span>',
    italic:
      '<span data-contrast="auto" class="TextRun SCXW1" style="font-style:italic"><span class="NormalTextRun">|</span></span>',
    sup: '<span class="TextRun SCXW1" style="vertical-align:super"><span class="NormalTextRun">|</span></span>',
    sub: '<span class="TextRun SCXW1" style="vertical-align:sub"><span class="NormalTextRun">|</span></span>',
    text: '<span data-contrast="auto" class="TextRun SCXW1"><span class="NormalTextRun SCXW1">|</span></span>',
  }),
  block(block, inner) {
    const end = '<span class="EOP SCXW1" data-ccp-props="{}">&nbsp;</span>';
    if ('heading' in block) {
      return `<div class="OutlineElement Ltr SCXW1"><h${block.level} class="Paragraph SCXW1" role="heading" aria-level="${block.level}"><span class="TextRun">${escaped(block.heading)}</span>${end}</h${block.level}></div>`;
    }
    if ('paragraph' in block)
      return `<div class="OutlineElement Ltr SCXW1"><p class="Paragraph SCXW1" style="font-weight:normal">${inner(block.paragraph)}${end}</p></div>`;
    if ('list' in block) {
      return block.list
        .map(({ text, level, ordered }) => {
          const tag = ordered ? 'ol' : 'ul';
          return `<div class="ListContainerWrapper SCXW1"><${tag} class="BulletListStyle1" role="list"><li class="OutlineElement Ltr" data-leveltext="●" data-aria-posinset="1" data-aria-level="${level}" role="listitem"><p class="Paragraph SCXW1"><span class="TextRun">${escaped(text)}</span>${end}</p></li></${tag}></div>`;
        })
        .join('');
    }
    return word.block(block, inner);
  },
  around: (body) => `<meta charset="utf-8">${body}`,
};

const docsSpan = (style: string) =>
  `<span style="font-size:11pt;font-family:Arial;${style};vertical-align:baseline;white-space:pre-wrap;">|</span>`;
const googleDocs: Style = {
  run: runWith({
    bold: docsSpan('font-weight:700;font-style:normal'),
    italic: docsSpan('font-weight:400;font-style:italic'),
    sup: '<span style="font-size:0.6em;font-weight:400;vertical-align:super;">|</span>',
    sub: '<span style="font-size:0.6em;font-weight:400;vertical-align:sub;">|</span>',
    text: docsSpan('font-weight:400;font-style:normal'),
  }),
  mark: (number) => `<sup><a href="#ftnt${number}" id="ftnt_ref${number}">[${number}]</a></sup>`,
  block(block, inner) {
    if ('heading' in block) {
      return `<h${block.level} dir="ltr" style="line-height:1.38;margin-top:20pt;"><span style="font-size:20pt;font-family:Arial;font-weight:700;">${escaped(block.heading)}</span></h${block.level}>`;
    }
    if ('paragraph' in block)
      return `<p dir="ltr" style="line-height:1.38;margin-top:0pt;">${inner(block.paragraph)}</p><br />`;
    if ('list' in block) {
      let open = 0;
      let html = '';
      const tag = block.list[0]?.ordered ? 'ol' : 'ul';
      for (const { text, level } of block.list) {
        for (; open < level; open += 1) html += `<${tag} style="margin-top:0;padding-inline-start:48px;">`;
        for (; open > level; open -= 1) html += `</${tag}>`;
        html += `<li dir="ltr" style="list-style-type:disc;font-weight:400;" aria-level="${level}"><p dir="ltr" role="presentation"><span style="font-weight:400;">${escaped(text)}</span></p></li>`;
      }
      return html + `</${tag}>`.repeat(open);
    }
    const rows = block.table.map(
      (cells) =>
        `<tr style="height:0pt">${cells.map((cell) => `<td style="border-left:solid #000000 1pt;vertical-align:top;"><p dir="ltr"><span style="font-weight:400;">${escaped(cell)}</span></p></td>`).join('')}</tr>`,
    );
    return `<div dir="ltr" style="margin-left:0pt;" align="left"><table style="border:none;"><colgroup><col width="300" /><col width="300" /></colgroup><tbody>${rows.join('')}</tbody></table></div><br />`;
  },
  notes: (notes) =>
    `<hr />${notes
      .map(
        (note, index) =>
          `<div><p dir="ltr"><a href="#ftnt_ref${index + 1}" id="ftnt${index + 1}">[${index + 1}]</a><span>&nbsp;${escaped(note)}</span></p></div>`,
      )
      .join('')}`,
  around: (body) =>
    `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-9c7a1b2e-7fff-1234-abcd-0123456789ab">${body}</b><br class="Apple-interchange-newline">`,
};

const libreOffice: Style = {
  ...googleDocs,
  run: runWith({
    bold: '<font size="3"><b>|</b></font>',
    italic: '<i>|</i>',
    sup: '<sup>|</sup>',
    sub: '<sub>|</sub>',
  }),
  mark: (number) =>
    `<a class="sdfootnoteanc" name="sdfootnote${number}anc" href="#sdfootnote${number}sym"><sup>${number}</sup></a>`,
  block(block, inner) {
    if ('heading' in block)
      return `<h${block.level} class="western"><font face="Liberation Sans">${escaped(block.heading)}</font></h${block.level}>`;
    if ('paragraph' in block)
      return `<p align="left" style="margin-bottom: 0cm; line-height: 100%">\n${inner(block.paragraph)}</p>\n<p><br/>\n\n</p>`;
    return googleDocs.block(block, inner);
  },
  notes: (notes) =>
    notes
      .map(
        (note, index) =>
          `<div id="sdfootnote${index + 1}"><p class="sdfootnote-western"><a class="sdfootnotesym" name="sdfootnote${index + 1}sym" href="#sdfootnote${index + 1}anc">${index + 1}</a> ${escaped(note)}</p></div>`,
      )
      .join(''),
  around: (body) =>
    `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"/><title></title><meta name="generator" content="LibreOffice 24.2"/><style type="text/css">p { margin-bottom: 0.25cm }</style></head><body lang="de-DE" dir="ltr">${body}</body></html>`,
};

const webPage: Style = {
  ...googleDocs,
  run: runWith({
    bold: '<strong>|</strong>',
    italic: '<em>|</em>',
    sup: '<sup>|</sup>',
    sub: '<sub>|</sub>',
  }),
  mark: (number) =>
    `<sup id="cite_ref-${number}" class="reference"><a href="#cite_note-${number}">[${number}]</a></sup>`,
  block(block, inner) {
    if ('heading' in block)
      return `<h${block.level}><span class="mw-headline" id="x">${escaped(block.heading)}</span></h${block.level}>`;
    if ('paragraph' in block)
      return `<p>${inner(block.paragraph)}</p><img src="https://track.example/p.gif" width="1" height="1" alt=""><script>alert(1)</script>`;
    if ('table' in block) {
      const [head = [], ...rows] = block.table;
      const cells = (row: readonly string[], tag: string) =>
        `<tr>${row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
      return `<table class="wikitable"><thead>${cells(head, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table>`;
    }
    return googleDocs.block(block, inner);
  },
  notes: (notes) =>
    `<ol class="references">${notes.map((note, index) => `<li id="cite_note-${index + 1}"><a href="#cite_ref-${index + 1}">↑</a> <span class="reference-text">${escaped(note)}</span></li>`).join('')}</ol>`,
  around: (body) =>
    `<html><body>\n<!--StartFragment--><nav><ul><li>Home</li></ul></nav><article><div class="entry" onclick="x()">${body}</div></article><style>p{}</style><!--EndFragment-->\n</body></html>`,
};

/** A mail has its paragraphs as `div`, and its signs of emphasis as styles. */
const mail: Style = {
  ...webPage,
  run: runWith({
    bold: '<span style="font-weight:bold">|</span>',
    italic: '<span style="font-style:italic">|</span>',
    sup: '<sup>|</sup>',
    sub: '<sub>|</sub>',
  }),
  block(block, inner) {
    if ('paragraph' in block) return `<div>${inner(block.paragraph)}</div><div><br></div>`;
    return webPage.block(block, inner);
  },
  around: (body) => `<meta charset="utf-8"><div dir="ltr">${body}</div>`,
};

const markdown: Style = {
  run(run) {
    if (typeof run === 'string') return run;
    if ('bold' in run) return `**${run.bold}**`;
    if ('italic' in run) return `*${run.italic}*`;
    // An ampersand before a letter could begin the name of a sign.
    if ('link' in run) return `[${run.link}](${run.href.replace('&', '\\&')})`;
    return 'sup' in run ? `:sup[${run.sup}]` : `:sub[${run.sub}]`;
  },
  mark: (number) => `[^${number}]`,
  block(block, inner) {
    if ('heading' in block) return `${'#'.repeat(block.level)} ${block.heading}`;
    if ('paragraph' in block) return inner(block.paragraph);
    if ('list' in block) {
      const width = block.list[0]?.ordered ? 3 : 2;
      return block.list
        .map(
          ({ text, level, ordered }, index) =>
            `${' '.repeat((level - 1) * width)}${ordered ? `${index + 1}.` : '-'} ${text}`,
        )
        .join('\n');
    }
    const rows = block.table.map((cells) => `| ${cells.join(' | ')} |`);
    const [head = '', ...others] = rows;
    return [head, `| ${block.table[0]?.map(() => '-').join(' | ')} |`, ...others].join('\n');
  },
  notes: (notes) => `\n${notes.map((note, index) => `\n[^${index + 1}]: ${note}`).join('\n')}`,
  around: (body) => body,
};

const PROGRAMS: Record<string, Style> = {
  Word: word,
  'Word with comments': wordWithComments,
  'Word on the web': wordOnTheWeb,
  'Google Docs': googleDocs,
  LibreOffice: libreOffice,
  'a web page': webPage,
  'a mail': mail,
};

function asMarkdown(blocks: readonly Block[]): string {
  const text = write(blocks, { ...markdown, block: (block, inner) => `${markdown.block(block, inner)}\n` });
  return text.replaceAll(/\n{3,}/g, '\n\n').trim();
}

/** Returns every document from every program, and as Markdown in plain text. */
export function pastedDocuments(): PastedDocument[] {
  return Object.entries(CONTENTS).flatMap(([content, blocks]) => {
    const expected = asMarkdown(blocks);
    const fromPrograms = Object.entries(PROGRAMS).map(([program, style]) => ({
      name: `${content} from ${program}`,
      html: write(blocks, style),
      text: expected,
      markdown: expected,
    }));
    const plain = { name: `${content} as Markdown`, html: '', text: expected, markdown: expected };
    return content === 'words' ? fromPrograms : [...fromPrograms, plain];
  });
}
