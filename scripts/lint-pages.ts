import { docsPage } from '../src/lint/describe-code.ts'
import type { Example } from '../src/lint/example.ts'
import { fixOf, type Subject, subjects, summaryOf } from '../src/lint/subjects.ts'

/** The pages about the linter's codes, by their path below `docs/`. */
export function lintPages(): ReadonlyMap<string, string> {
  return new Map([
    ['lint/index.md', indexPage()],
    ...subjects.map((subject) => [`${docsPage(subject.code)}.md`, page(subject)] as const),
  ])
}

function indexPage(): string {
  return paragraphs(
    '# What the linter finds',
    'Generated from the code by `npm run docs`. Messages come from reading a build file and are the same ' +
      'wherever it is read. Advice is reported by the command line, the page and the check run, and by ' +
      '`/lint` with `advice=true`. `build-service lint --fix` applies fixes; a fix marked *on request* ' +
      'changes what the jobs do, so it needs `--unsafe` as well.',
    '## Messages',
    table('message'),
    '## Advice',
    table('advice'),
  )
}

function table(kind: Subject['kind']): string {
  return [
    '| Code | Level | What it is about | Fix |',
    '| --- | --- | --- | --- |',
    ...subjects.filter((subject) => subject.kind === kind).map(row),
  ].join('\n')
}

function row(subject: Subject): string {
  const { code, levels } = subject
  const name = `[\`${code}\`](${code}.md)`
  const cells = [name, levels.join(', '), summaryOf(subject), fixWords[fixOf(subject)]]
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`
}

const fixWords = { none: '', safe: 'yes', 'on request': 'on request' } as const

function page({ code, levels, kind, text, examples }: Subject): string {
  const hits = examples.filter(({ messages }) => messages.length > 0)
  const others = examples.filter(({ messages }) => messages.length === 0)
  const what = kind === 'message' ? 'Message' : 'Advice'
  return paragraphs(
    `# \`${code}\``,
    `${what} of level ${levels.map((level) => `\`${level}\``).join(' or ')}. [All codes](index.md)`,
    ...text,
    ...hits.flatMap(hit),
    ...(others.length === 0 ? [] : ['## Fine', ...others.map(({ source }) => yaml(source))]),
  )
}

function hit({ source, messages, branch, imports = {}, fixed, onRequest }: Example): string[] {
  return [
    '## Example',
    yaml(source),
    ...Object.entries(imports).flatMap(([name, text]) =>
      typeof text === 'string' && text !== '' ? [`\`${name}\`:`, yaml(text)] : [],
    ),
    ...(branch === undefined ? [] : [`In a build of the branch \`${branch}\`:`]),
    messages.map((message) => `> ${escaped(message)}`).join('\n>\n'),
    ...(fixed === undefined
      ? []
      : [`Fixed by ${onRequest ? '`--fix --unsafe`' : '`--fix`'}:`, yaml(fixed)]),
  ]
}

function yaml(source: string): string {
  return `\`\`\`yaml\n${source.replace(/\n*$/, '\n')}\`\`\``
}

/** Escapes characters that have a meaning in Markdown. */
function escaped(text: string): string {
  return text.replaceAll(/[*_<>`\\[\]|#]/g, String.raw`\$&`)
}

function paragraphs(...all: readonly string[]): string {
  return `${all.join('\n\n')}\n`
}
