import { branchDecision } from '../../../buildfile/branches.ts'
import type { ConditionData } from '../../../buildfile/conditions/data.ts'
import { explainJobs } from '../../../buildfile/expand/explain-jobs.ts'
import { type BuildFile, readBuildFile } from '../../../buildfile/read-build-file.ts'
import { visibleJson } from '../../../domain/visible.ts'
import { importsOf, unmetCondition } from '../../../lint/jobs/job-notes.ts'
import { UsageError } from '../../explain.ts'
import { readArguments } from '../arguments.ts'
import { eventOptions, readEvent } from '../event-data.ts'
import { expandHelp } from './expand-help.ts'
import { type Expanded, expandedText } from './expanded-text.ts'
import { readInput } from '../input.ts'
import { print } from '../print.ts'

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
