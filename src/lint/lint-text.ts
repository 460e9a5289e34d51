import { composeText } from '../buildfile/compose/compose-text.ts'
import type { SyntaxProblem } from '../buildfile/compose/problem.ts'
import type { Config, LineOf } from '../buildfile/expand/values.ts'
import type { Message } from '../buildfile/messages/message.ts'
import { normalize } from '../buildfile/normal-form/normalize.ts'
import { advise } from './advise.ts'
import { byLevel, type Finding } from './finding.ts'
import { findingOfMessage } from './finding-of.ts'
import { openContext } from './context/open-context.ts'
import type { Rule } from './rules/rule.ts'

export interface LintOptions {
  /** Whether the advice rules are asked as well (D31). */
  advice: boolean
  /** The rules to ask, if not all. */
  rules?: readonly Rule[]
  /** What the file is called in findings. */
  file?: string
}

export interface Linted {
  /** The worst first; within a level in the order of the reader, advice last. */
  findings: Finding[]
  /** The normal form; empty for a file that cannot be read. */
  config: Config
  lineOf: LineOf
  /** Why the file cannot be read; it is among the findings as well. */
  error: Finding | null
}

/** Everything there is to say about a build file. Never throws. */
export function lintText(text: string, options: LintOptions): Linted {
  const { file = '.service.yml', advice, rules } = options
  const composed = composeText(text)
  const source = { file, prepared: composed.prepared }
  if ('error' in composed) {
    const error = findingOfMessage(messageOf(composed.error), source)
    return { findings: [error], config: {}, lineOf: () => null, error }
  }
  const normal = normalize(composed.root, composed.anchorNames)
  const context = openContext(composed, normal)
  const findings = [
    ...normal.messages.map((message) => findingOfMessage(message, source, context)),
    ...(advice ? advise(context, source, rules) : []),
  ]
  const lineOf: LineOf = (path) => {
    const place = normal.positions(path)?.value
    return place ? composed.prepared.written(place.start).line : null
  }
  return { findings: findings.toSorted(byLevel), config: normal.config, lineOf, error: null }
}

/** A problem in the form of a message, since people are told about both in the same way. */
function messageOf({ kind, message, hint, at }: SyntaxProblem): Message {
  const args = { problem: message, hint }
  return { level: 'error', code: `${kind}_error`, key: [], args, at: { start: at, end: at } }
}
