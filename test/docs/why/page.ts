import type { Evidence } from './evidence.ts'
import type { FailureEvidence } from './recorded-run.ts'

export interface Shown {
  title: string
  /** The build file, or what else there is to be seen before. */
  file: string | null
  evidence: Evidence
}

/** What is said of a job that failed. */
export interface ShownRun extends Pick<
  FailureEvidence['api'],
  'lines' | 'kind' | 'text' | 'outside'
> {
  title: string
  status: string
}

/** The page `docs/why.md`. */
export function pageOf(situations: readonly Shown[], runs: readonly ShownRun[]): string {
  const sections = situations.map(section)
  const failures = runs.map((run, index) => failureSection(run, situations.length + index))
  return `${[...intro, ...sections, ...secondIntro, ...failures].join('\n\n')}\n`
}

const intro = [
  '# Why a push was built, or not, and why a job failed',
  'Each situation, and the exact words for it: as a status of the commit, by the check ' +
    '`service/config` at the lines of the file, over the API (`GET /requests`, and the state of the ' +
    'build), on the page of the repository or of the build, and on a terminal as `build-service demo` ' +
    'prints it. A dash means that nothing is said there. Jobs are not run here, so builds wait.',
  'Written by `npm run docs:why` from real runs.',
  'The [second part](#why-a-job-failed) shows failed jobs.',
]

const secondIntro = [
  '# Why a job failed',
  'Each failure was recorded from a real tool, with runs of the same commands that passed before. The status ' +
    'of the commit names the cause or the command. The other lines come from the API ' +
    '(`GET /job/{job.id}/failure`): how they were found, the kind of the failure if a line proves it, and the ' +
    'first three lines. The check of the build and the page of the job show the same lines. ' +
    '[Why it failed](why-it-failed.md) explains how they are chosen.',
]

function failureSection({ title, status, lines, kind, text, outside }: ShownRun, index: number) {
  const told = [
    ...row('status', [status.replace(/ in \d+ s(?=:|$)/, ' in <time>')]),
    ...row('found', [kind === null ? text : `${text} (${kind})`]),
    ...row(
      'lines',
      lines.slice(0, 3).map(({ number, text: line }) => `${number}: ${line.trim()}`),
    ),
    ...(outside?.changes.length
      ? row('outside', [outside.text.replace(/\d+ s later/, '<time> later')])
      : []),
  ]
  return [`## ${index + 1}. ${title}`, fenced('text', told.join('\n'))].join('\n\n')
}

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
