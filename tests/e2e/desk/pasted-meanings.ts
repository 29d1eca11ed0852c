/** Texts whose looks change what their words say, as programs put them on the clipboard; and what the notice names of each. */
export const PASTED_MEANINGS: {
  name: string;
  html?: string;
  text?: string;
  markdown: string;
  named?: string[];
}[] = [
  {
    name: 'micrograms of an old Word document',
    html: `<html xmlns:o='urn:schemas-microsoft-com:office:office'><head><meta name=Generator content="Microsoft Word 15"></head><body><p class=MsoNormal>Thyroxine 50 <span style='font-family:Symbol;mso-ascii-font-family:Calibri'>m</span>g</p></body></html>`,
    markdown: 'Thyroxine 50 µg',
  },
  {
    name: 'a font element, a letter above U+007F, and another font within',
    html: '<p><font face="Symbol">³ 5 m<span style="font: 7.0pt \'Times New Roman\'">m</span></font> <span style="font-family:Wingdings">à</span>',
    markdown: '≥ 5 µm 🡪',
  },
  {
    name: 'a style of Word in a style sheet',
    html: '<html><head><style><!-- span.Greek {mso-style-name:Greek;font-family:Symbol;} span.Old {text-decoration:line-through} --></style></head><body><p class=MsoNormal>50 <span class=Greek>m</span>g <span class=Old>or mg</span>',
    markdown: '50 µg',
    named: ['Struck out, so left out: “or mg”'],
  },
  {
    name: 'a font that nobody knows',
    html: '<p>5 <span style="font-family:\'MT Extra\'">l</span> 6',
    markdown: '5 6',
    named: ['Signs that are not known, so left out: “l (mt extra)”'],
  },
  {
    name: 'struck words',
    html: "<p>Take <s>5 mg</s> 10 mg, <strike>3</strike> 4, <span style='text-decoration:line-through'>7</span> 8, <del>1</del>2</p>",
    markdown: 'Take 10 mg, 4, 8, 2',
    named: ['Struck out, so left out: “5 mg”, “3”, “7”, “1”'],
  },
  {
    name: 'hidden words',
    html: '<p>Take <span style="display: none">5 mg</span><span style=\'mso-hide:all\'>6 mg</span>10 mg',
    markdown: 'Take 10 mg',
    named: ['Hidden, so left out: “5 mg”, “6 mg”'],
  },
  {
    name: 'equations of Word, of MathType and of a page',
    html: `<p>Rate: <!--[if gte msEquation 12]><m:oMath><m:r><m:t>a/b</m:t></m:r></m:oMath><![endif]--><![if !msEquation]><span><img src="file:///C:/x.png"></span><![endif]>, <span class="katex"><span class="katex-mathml"><math><semantics><mn>9</mn><annotation encoding="application/x-tex">10^9</annotation></semantics></math></span><span aria-hidden="true">109</span></span> end`,
    markdown: 'Rate: , end',
    named: ['Equations, which a text cannot hold: “a/b”, “10^9”'],
  },
  {
    name: 'pictures that are on the other computer, or in the clipboard alone',
    html: '<p>See <img src="file:///C:/Users/ada/image001.png"> and <img alt="A heart" src="data:image/png;base64,AA==">.',
    markdown: 'See and A heart.',
    named: [
      'Pictures that were not copied along; please add them from their files: “image001.png”, “A heart”',
    ],
  },
  {
    name: 'cells of a spreadsheet as plain text',
    text: 'Age\tDose\n6 to 12\t5 ml | *6* ml',
    markdown: '| Age | Dose |\n| - | - |\n| 6 to 12 | 5 ml \\| \\*6\\* ml |',
  },
  {
    name: 'letters that are raised by a length, and powers in code',
    html: `<p>10<span style='position:relative;top:-4.0pt;mso-text-raise:4.0pt'>9</span>/L, CO<span style="vertical-align:-3px">2</span>, <code>10<sup>6</sup></code>`,
    markdown: '10:sup[9]/L, CO:sub[2], `10⁶`',
  },
  {
    name: 'a table within a table',
    html: '<table><tr><td><table><tr><td>5 mg</td><td>10<sup>9</sup></td></tr></table></td><td>outer</td></tr><tr><td><p>5 mg</p>10 ml</td><td>a<div>b</div></td></tr></table>',
    markdown: '| 5 mg; 10:sup[9] | outer |\n| - | - |\n| 5 mg 10 ml | a b |',
  },
];
