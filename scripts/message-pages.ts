// The pages of `docs/messages`: every sentence that the program can say, with its place.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Found, textsIn } from './texts-in-sources.ts'

const root = path.resolve(import.meta.dirname, '..')

/** A page, and the folders and files whose texts it lists: of two that fit, the longer path. */
interface Subject {
  page: string
  title: string
  about: string
  sources: readonly string[]
}

const subjects: readonly Subject[] = [
  {
    page: 'requests',
    title: 'Requests and decisions',
    about: 'why an event was built or not, and what became of a webhook',
    sources: [
      'src/bot',
      'src/domain',
      'src/flow',
      'src/flow/catch-up',
      'src/flow/deliveries',
      'src/flow/events',
      'src/flow/requests',
    ],
  },
  {
    page: 'statuses',
    title: 'Statuses, checks and notifications',
    about: 'texts that are sent to the code host, by mail and to other services',
    sources: [
      'src/domain/commit',
      'src/domain/notification.ts',
      'src/flow/notifications',
      'src/flow/statuses',
      'src/notify',
    ],
  },
  {
    page: 'jobs',
    title: 'Jobs and their logs',
    about:
      'why a job waits, lines that the service writes into a log, how a log ends, why a job failed',
    sources: [
      'src/domain/failure',
      'src/domain/job',
      'src/domain/log',
      'src/failure',
      'src/flow/builds',
      'src/flow/failures',
      'src/flow/jobs',
      'src/flow/logs',
      'src/runner',
      'src/script',
      'src/terminal',
      'src/texts',
    ],
  },
  {
    page: 'build-file',
    title: 'Build files',
    about: 'errors in `.service.yml`; [the pages of the linter](lint/index.md) list its findings',
    sources: ['src/buildfile', 'src/domain/config', 'src/flow/build-file', 'src/reader'],
  },
  {
    page: 'command-line',
    title: 'The command line',
    about: 'help, output and errors of `build-service`',
    sources: ['bin', 'src/cli'],
  },
  {
    page: 'pages',
    title: 'Pages',
    about: 'texts of the pages in a browser',
    sources: ['src/http/pages', 'src/http/views'],
  },
  {
    page: 'api',
    title: 'The API',
    about: 'errors and warnings of both generations, and the texts of the reference at `/docs`',
    sources: [
      'src/channels',
      'src/http',
      'src/domain/errors.ts',
      'src/access',
      'src/flow/live',
      'src/streaming',
    ],
  },
  {
    page: 'operation',
    title: 'Operation',
    about:
      'settings, starting and stopping, `doctor`, backups, the database, the log of the service',
    sources: [
      'src/codehost',
      'src/config',
      'src/domain/readiness.ts',
      'src/domain/retention.ts',
      'src/flow/people',
      'src/flow/repositories',
      'src/flow/secrets',
      'src/flow/tokens',
      'src/flow/upkeep',
      'src/objects',
      'src/queue',
      'src/secrets',
      'src/service',
      'src/store',
      'src/worker',
    ],
  },
]

/** The findings of the linter have pages of their own; the table of the schema is generated. */
const leftOut = /^src\/(?:lint\/|buildfile\/schema\/table\.ts$)/

/** Rooms with programs and queries: a text of theirs is for people only if it is a sentence. */
const withPrograms = /^src\/(?:failure|runner|script|store)\//

/** Words that sentences have, and commands and names of programs do not. */
const ofSentences =
  /\b(?:an?|the|is|are|was|were|has|have|had|does|did|be|been|not|no|none|cannot|could|must|can|will|its?|this|that|there)\b/i
const ofQueries = /\bis (?:not )?null\b|::|\border by\b| desc\b|^\s*\(|\bas \w+$|\bany\(/i

let known: readonly Found[] | undefined

/** All texts that the program can say, in the order of their files. */
export function messages(): readonly Found[] {
  known ??= readMessages()
  return known
}

function readMessages(): Found[] {
  return sourceFiles()
    .flatMap((file) => textsIn(file, readFileSync(path.join(root, file), 'utf8')))
    .filter(
      ({ file, text }) =>
        !withPrograms.test(file) || (ofSentences.test(text) && !ofQueries.test(text)),
    )
}

function sourceFiles(): string[] {
  return ['bin', 'src']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(folder, file),
      ),
    )
    .filter((file) => /\.(?:tsx?|js)$/.test(file) && !leftOut.test(file))
    .toSorted()
}

/** The subject of a file; undefined if no subject has it. */
export function subjectOf(file: string): Subject | undefined {
  const fit = (source: string) => file === source || file.startsWith(`${source}/`)
  const longest = (subject: Subject) =>
    Math.max(-1, ...subject.sources.filter(fit).map((source) => source.length))
  const [best] = subjects.toSorted((a, b) => longest(b) - longest(a))
  return best && longest(best) >= 0 ? best : undefined
}

/** Each page by its path below `docs`. */
export function messagePages(): [file: string, text: string][] {
  const all = messages()
  return [
    ['messages.md', index()],
    ...subjects.map((subject): [string, string] => [
      `messages/${subject.page}.md`,
      pageOf(
        subject,
        all.filter(({ file }) => subjectOf(file) === subject),
      ),
    ]),
  ]
}

const generated = '<!-- Written by npm run docs: do not edit. -->'

function index(): string {
  const rows = subjects.map(
    ({ page, title, about }) => `- [${title}](messages/${page}.md): ${about}`,
  )
  const paragraphs = [
    generated,
    '# Messages',
    'Every text that the program can say, by subject. Each text is listed below its file, after the name of ' +
      'the declaration that holds it. `{name}` stands for a value, and `…` for one without a name. Parts of sentences that ' +
      'are chosen by a condition are listed by themselves.',
    rows.join('\n'),
    'Findings of the linter have [a page each](lint/index.md), [settings](settings.md) a table.',
  ]
  return `${paragraphs.join('\n\n')}\n`
}

function pageOf({ title, about }: Subject, own: readonly Found[]): string {
  const files = [...new Set(own.map(({ file }) => file))]
  const sections = files.map((file) => {
    const lines = own.filter((text) => text.file === file).map(lineOf)
    return `## ${file}\n\n${[...new Set(lines)].join('\n')}`
  })
  const intro = `Back to [all subjects](../messages.md). This page: ${about.replace('](lint/', '](../lint/')}.`
  return `${[generated, `# Messages: ${title}`, intro, ...sections].join('\n\n')}\n`
}

function lineOf({ name, text }: Found): string {
  return `- ${name === '' ? '' : `\`${name}\`: `}${asCode(text.replaceAll(/\s*\n\s*/g, ' '))}`
}

/** Inline code, between more backticks than the text has in a row. */
function asCode(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const marks = '`'.repeat(longest + 1)
  const gap = longest > 0 ? ' ' : ''
  return `${marks}${gap}${text}${gap}${marks}`
}
