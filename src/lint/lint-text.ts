import type { Config, LineOf } from '../buildfile/expand/values.ts'
import { unreadableMessage } from '../buildfile/messages/unreadable.ts'
import { readBuildFile } from '../buildfile/read-build-file.ts'
import { advise } from './advise.ts'
import { heedComments } from './project/ignore-comments.ts'
import { noSettings, type ProjectSettings, withLevels } from './project/settings.ts'
import { byLevel, type Finding } from './finding.ts'
import { findingOfMessage } from './finding-of.ts'
import { openContext } from './context/open-context.ts'
import type { Rule } from './rules/rule.ts'
import { withoutSuperseded } from './without-superseded.ts'

export interface LintOptions {
  /** Whether the advice rules run as well (D31). */
  advice: boolean
  /** The rules to run, if not all. */
  rules?: readonly Rule[]
  /** What the project wants to have reported. */
  settings?: ProjectSettings
  /** Whether comments `lint-ignore` hold; by default where advice is given. */
  comments?: boolean
  /** What the file is called in findings. */
  file?: string
  /** How many values the file may hold, if there is a limit. */
  mostValues?: number
}

export interface Linted {
  /** The worst first; within a level in the order of the reader, advice last. */
  findings: Finding[]
  /** The normal form; empty for a file that cannot be read. */
  config: Config
  /** What comments switch off, and what another finding makes pointless. */
  ignored: Finding[]
  lineOf: LineOf
  /** Why the file cannot be read; it is among the findings as well. */
  error: Finding | null
}

/** Reports everything about a build file. Never throws. */
export function lintText(text: string, options: LintOptions): Linted {
  const { file = '.service.yml', advice, rules, mostValues } = options
  const { comments = advice, settings = noSettings } = options
  const read = readBuildFile(text, { mostValues })
  const { config, messages, positions, prepared } = read
  const source = { name: file, prepared }
  if (read.error) {
    const error = findingOfMessage(unreadableMessage(read), source)
    return { findings: [error], config, ignored: [], lineOf: () => null, error }
  }
  const context = openContext(read)
  const found = [
    ...messages.map((message) => findingOfMessage(message, source, context)),
    ...(advice ? advise(context, source, rules) : []),
  ]
  const lineOf: LineOf = (path) => {
    const span = positions(path)?.value
    return span ? prepared.written(span.start).line : null
  }
  const heeded = comments ? heedComments(found, text, file) : { findings: found, ignored: [] }
  // What the project switched off says nothing, so it stands for nothing else.
  const { findings, superseded } = withoutSuperseded(withLevels(heeded.findings, settings))
  return {
    findings: findings.toSorted(byLevel),
    ignored: [...heeded.ignored, ...superseded],
    config,
    lineOf,
    error: null,
  }
}
