import type { Message } from '../buildfile/messages/message.ts'
import type { PreparedText } from '../buildfile/prepared-text.ts'
import type { Span } from '../buildfile/tree/node.ts'
import { withoutTokens } from '../domain/text/token-shapes.ts'
import type { LintContext } from './context/context.ts'
import { docsPage } from './describe-code.ts'
import type { Finding, Fix } from './finding.ts'
import { fixers } from './fixes/index.ts'
import { messageText } from './message-text.ts'
import type { Advice, ProposedFix, LintRule } from './rules/rule.ts'

/** A file that is linted: its name, and the way back from the prepared text. */
export interface LintedFile {
  name: string
  prepared: PreparedText
}

/** A message of the reader as a finding. A fix needs the context. */
export function findingOfMessage(
  message: Message,
  file: LintedFile,
  context?: LintContext,
): Finding {
  const { level, code, at, src } = message
  const key = offendingKey(message)
  const proposed = context && fixers[code]?.(message, context)
  const name = src ?? file.name
  const finding = { level, code, key, message: messageText(message), file: name }
  return placed(finding, at, proposed, file)
}

/** An advice of a rule as a finding. */
export function findingOfAdvice(
  { code, level }: LintRule,
  advice: Advice,
  file: LintedFile,
): Finding {
  const key = advice.path.filter((part) => typeof part === 'string')
  const { message, at, fix } = advice
  return placed({ level, code, key, message, file: file.name }, at, fix, file)
}

type Unplaced = Pick<Finding, 'level' | 'code' | 'key' | 'message' | 'file'>

function placed(
  finding: Unplaced,
  at: Span | undefined,
  proposed: ProposedFix | undefined,
  { prepared }: LintedFile,
): Finding {
  const isPlaced = at && at.start >= 0
  const start = isPlaced ? prepared.written(at.start) : undefined
  const end = isPlaced ? prepared.written(at.end) : undefined
  // Properties are copied one by one: there may be tens of thousands of findings, and spreads are slow.
  const found: Finding = {
    level: finding.level,
    code: finding.code,
    key: finding.key,
    message: finding.message,
    file: finding.file,
    line: start?.line ?? null,
    column: start?.column ?? null,
    end_line: end?.line ?? null,
    end_column: end?.column ?? null,
    docs: docsPage(finding.code),
  }
  if (proposed) found.fix = fixOf(proposed, prepared)
  return found
}

function fixOf({ title, edits, safe }: ProposedFix, { written }: PreparedText): Fix {
  const inFile = edits.map(({ start, end, text }) => {
    return { start: written(start).offset, end: written(end).offset, text }
  })
  return { title: withoutTokens(title), edits: inFile.toSorted((a, b) => a.start - b.start), safe }
}

/** Codes about a key of the map that the message's path leads to. */
const aboutKeys = new Set([
  'unknown_key',
  'find_key',
  'strip_key',
  'clean_key',
  'underscore_key',
  'alias_key',
  'overwrite',
  'duplicate_key',
  'deprecated_key',
  'default',
  'required',
])

/** The path of the offending key itself, as written (D9). */
export function offendingKey({ code, key, args = {} }: Omit<Message, 'level'>): string[] {
  if (aboutKeys.has(code)) return [...key, String(args.original ?? args.alias ?? args.key)]
  return standsForSecure(code, args) && key.at(-1) === 'secure' ? key.slice(0, -1) : key
}

/** Whether a final `secure` in the path is the value's type, not a key of that name. */
function standsForSecure(code: string, args: Record<string, unknown>): boolean {
  return code !== 'invalid_type' || args.actual === 'secure'
}
