import type { Message } from '../buildfile/messages/message.ts'
import type { Span } from '../buildfile/tree/node.ts'
import type { PreparedText } from '../buildfile/prepared-text.ts'
import type { Context } from './context/context.ts'
import { docsPage } from './describe-code.ts'
import type { Finding, Fix } from './finding.ts'
import { fixers } from './fixes/index.ts'
import { messageText } from './message-text.ts'
import { offendingKey } from './offending-key.ts'
import type { Advice, ProposedFix, Rule } from './rules/rule.ts'
import { withoutSecrets } from './secret-shapes.ts'

/** A file that is linted: its name, and the way back from the prepared text. */
export interface LintedFile {
  name: string
  prepared: PreparedText
}

/** What the reader says, for people. A fix needs the context. */
export function findingOfMessage(message: Message, file: LintedFile, context?: Context): Finding {
  const { level, code, at, src } = message
  const key = offendingKey(message)
  const proposed = context && fixers[code]?.(message, context)
  const name = src ?? file.name
  const finding = { level, code, key, message: messageText(message), file: name }
  return placed(finding, at, proposed, file)
}

/** What a rule says, for people. */
export function findingOfAdvice({ code, level }: Rule, advice: Advice, file: LintedFile): Finding {
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
  // Member by member: there may be tens of thousands, and spreads are slow.
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
  return { title: withoutSecrets(title), edits: inFile.toSorted((a, b) => a.start - b.start), safe }
}
