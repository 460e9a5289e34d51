import type { Message } from '../buildfile/messages/message.ts'
import type { Place } from '../buildfile/tree/node.ts'
import type { PreparedText } from '../buildfile/prepared-text.ts'
import type { Context } from './context/context.ts'
import { docsPage } from './describe-code.ts'
import type { Finding, Fix } from './finding.ts'
import { mendings } from './fixes/index.ts'
import { messageText } from './message-text.ts'
import { offendingKey } from './offending-key.ts'
import type { Advice, Mend, Rule } from './rules/rule.ts'

/** A file whose findings are told: its name, and the way back from the prepared text. */
export interface Source {
  file: string
  prepared: PreparedText
}

/** What the reader says, for people. A fix needs the context. */
export function findingOfMessage(message: Message, source: Source, context?: Context): Finding {
  const { level, code, at, src } = message
  const key = offendingKey(message)
  const mend = context && mendings[code]?.(message, context)
  const file = src ?? source.file
  const finding = { level, code, key, message: messageText(message), file }
  return placed(finding, at, mend, source)
}

/** What a rule says, for people. */
export function findingOfAdvice({ code, level }: Rule, advice: Advice, source: Source): Finding {
  const key = advice.path.filter((part) => typeof part === 'string')
  const { message, at, fix } = advice
  return placed({ level, code, key, message, file: source.file }, at, fix, source)
}

type Unplaced = Pick<Finding, 'level' | 'code' | 'key' | 'message' | 'file'>

function placed(
  finding: Unplaced,
  at: Place | undefined,
  mend: Mend | undefined,
  { prepared }: Source,
): Finding {
  const docs = docsPage(finding.code)
  const fix = mend && { fix: fixOf(mend, prepared) }
  if (!at || at.start < 0) {
    return { ...finding, line: null, column: null, end_line: null, end_column: null, docs, ...fix }
  }
  const [start, end] = [prepared.written(at.start), prepared.written(at.end)]
  const place = { line: start.line, column: start.column }
  return { ...finding, ...place, end_line: end.line, end_column: end.column, docs, ...fix }
}

function fixOf({ title, edits, safe }: Mend, { written }: PreparedText): Fix {
  const inFile = edits.map(({ start, end, text }) => {
    return { start: written(start).offset, end: written(end).offset, text }
  })
  return { title, edits: inFile.toSorted((a, b) => a.start - b.start), safe }
}
