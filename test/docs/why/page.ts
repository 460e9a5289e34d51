import type { Evidence } from './evidence.ts'

export interface Shown {
  title: string
  /** The build file, or what else there is to be seen before. */
  file: string | null
  evidence: Evidence
}

/** The page `docs/why.md`. */
export function pageOf(situations: readonly Shown[]): string {
  const sections = situations.map(section)
  return `${[...intro, ...sections].join('\n\n')}\n`
}

const intro = [
  '# Why a push was built, or not',
  'Each situation, and the exact words for it: as a status of the commit, by the check ' +
    '`service/config` at the lines of the file, over the API (`GET /requests`, and the state of the ' +
    'build), on the page of the repository or of the build, and on a terminal as `build-service demo` ' +
    'prints it. A dash means that nothing is said there. Jobs are not run here, so builds wait.',
  'Written by `npm run docs:why` from real runs.',
]

function section({ title, file, evidence }: Shown, index: number): string {
  const { status, check, api, page, terminal } = evidence
  const told = [
    ...row('status', status),
    ...row('check', check),
    ...row('API', api),
    ...row('page', page),
    ...row('terminal', terminal),
  ]
  const blocks = [...(file === null ? [] : [fenced('yaml', file)]), fenced('text', told.join('\n'))]
  return [`## ${index + 1}. ${title}`, ...blocks].join('\n\n')
}

function row(name: string, lines: readonly string[]): string[] {
  const shown = lines.length > 0 ? lines : ['–']
  return shown.map((line, index) => `${(index === 0 ? name : '').padEnd(10)}${line}`.trimEnd())
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.replace(/\n*$/, '\n')}\`\`\``
}
