import { branchDecision } from '../../../buildfile/branches.ts'
import type { ConditionData } from '../../../buildfile/conditions/data.ts'
import { explainJobs, type Explanation } from '../../../buildfile/expand/explain-jobs.ts'
import { type BuildFile, readBuildFile } from '../../../buildfile/read-build-file.ts'
import { visibleJson, visible } from '../../../domain/text/escape-control-characters.ts'
import {
  importsOf,
  unmetCondition,
  type NotesInput,
  jobNotes,
} from '../../../lint/jobs/job-notes.ts'
import { UsageError } from '../../errors.ts'
import { readArguments } from '../arguments.ts'
import { eventOptions, readEvent } from '../event-data.ts'
import { readInput } from '../input.ts'
import { print } from '../print.ts'
import { jobsText } from './jobs-text.ts'

const options = { ...eventOptions, json: { type: 'boolean' } } as const

/** Shows the jobs that a build file makes. */
export async function expand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, options)
  if (values.help) {
    print(expandHelp)
    return 0
  }
  const [argument, ...more] = positionals
  if (more.length > 0) throw new UsageError('expand takes one file at a time')
  const event = readEvent(values)
  const { name, text } = await readInput(argument)
  const file = readBuildFile(text)
  if (file.error) {
    const { message, hint, line, column } = file.error
    throw new UsageError([`${name}:${line}:${column} ${message}`, hint ?? []].flat().join(' '))
  }
  const expanded = explained(name, file, event)
  print(values.json ? `${visibleJson(expanded, 2)}\n` : expandedText(expanded))
  return 0
}

function explained(name: string, file: BuildFile, event: ConditionData | undefined): Expanded {
  const { config, positions, prepared } = file
  const lineOf = (path: readonly (string | number)[]) => {
    const span = positions(path)?.value
    return span ? prepared.written(span.start).line : null
  }
  const branch = event?.branch
  return {
    file: name,
    event: event ?? null,
    branches: typeof branch === 'string' ? branchDecision(config, branch) : null,
    unmet: unmetCondition(config, event),
    imports: importsOf(config),
    ...explainJobs(config, { lineOf, ...(event ? { data: event } : {}) }),
  }
}

const expandHelp = `Usage: build-service expand [options] [FILE]

Shows the jobs that a build file makes: number, stage, how they differ, and where each comes from;
then those that are left out, and why. Without FILE it takes the nearest .service.yml, in this
folder or above it in the repository. FILE may be a folder, or - for standard input.

Options:
      --json                    everything, for programs
  -h, --help                    show this

Without any of these every condition counts as true. With one of them there is an event, and
what is left out of it is blank:
      --event <type>            push (the default), pull_request, cron or api
      --branch <name>           its branch; of a pull request the one it goes into
      --tag <name>              the tag that was pushed, which then is the branch as well
      --repo <owner/name>       the repository
      --head-branch <name>      where a pull request comes from
      --head-repo <owner/name>  the repository that it comes from, if that is not --repo
      --fork                    the repository is itself a fork of another one
      --sender <login>          who caused it
      --commit-message <text>   the message of the commit
      --env <NAME=value>        a variable of the repository's settings; repeat it for more

Exit code: 0 when the jobs are shown, 2 when the file cannot be read.

Examples:
  $ build-service expand
  $ build-service expand --branch main
  $ build-service expand --event pull_request --branch main --head-repo octavia/fork
  $ build-service expand --tag v1.0 --json | jq '.dropped[].why'
`

/** The result of a build file for an event, or for none. */
interface Expanded extends Explanation, NotesInput {
  file: string
  /** The event that conditions were evaluated with; null if all conditions count as true. */
  event: ConditionData | null
}

/** The result for people: a headline, notes, and the jobs. */
function expandedText(expanded: Expanded): string {
  const lines = [headline(expanded), ...jobNotes(expanded, expanded.event?.branch)]
  return `${lines.map((line) => `${visible(line)}\n`).join('')}\n${jobsText(expanded)}`
}

function headline({ file, event, total, complete }: Expanded): string {
  const count = `${complete ? '' : 'at least '}${total} ${total === 1 ? 'job' : 'jobs'}`
  if (!event) return `${file}: ${count}, as if every condition held`
  const { type, env: _env, head_repo, head_branch, ...facts } = event
  const head = {
    head_repo: head_repo === event.repo ? null : head_repo,
    head_branch: head_branch === event.branch ? null : head_branch,
  }
  const shown = Object.entries({ ...facts, ...head })
    .filter(([, value]) => value !== null && value !== false)
    .map(([name, value]) => `${name} ${String(value)}`)
  const where = shown.length > 0 ? `, with ${shown.join(', ')}` : ''
  return `${file}: ${count} for an event of type ${String(type)}${where}`
}
